package import GoldwireMachines
package import GoldwireTrace

/// A prediction of a trace's one WebSocket channel with all of its steps, for those who measure predictions.
///
/// A report holds what the client does; this also holds what it meets, numbered by sessions, and the ends as worlds have
/// them. The inferred events can be moved, so that it shows whether they matter.
package struct CausalStudy: Sendable {
  /// What a step is.
  package enum Kind: Sendable {
    case connect, open, ping, answer, end
  }

  /// A step of the likeliest world, with what the others say of it; instants are in the trace's unit.
  package struct Step: Sendable {
    package var kind: Kind
    /// The session, and the attempt to open it or the number of the ping.
    package var session: Int
    package var ordinal: Int
    /// Whether the connection never opened.
    package var hasFailed: Bool
    package var t: Int
    package var earliest: Int
    package var latest: Int
    package var cause: Heartbeat.Cause?
    package var grade: Grade
    /// The step's own proof, whatever came before it.
    package var proof: Grade?
  }

  /// The end of a session, aligned over the worlds by the recorded event behind it.
  package struct End: Sendable {
    package var cause: Heartbeat.Cause
    package var earliest: Int
    package var latest: Int
    /// All worlds have it.
    package var isFirm: Bool
    package var grade: Grade
  }

  /// The steps in order, and the ends in order.
  package private(set) var steps: [Step] = []
  package private(set) var ends: [End] = []
  /// Whether the recorded client was not the machine with what was in force.
  package private(set) var isDoubted = false
  /// The verdict that a report gives.
  package private(set) var verdict = CausalVerdict.inconclusive

  /// Asks a trace; all inferred outages, late replies, kills and refusals are moved by so much of the trace's unit.
  ///
  /// Throws as a ``CausalReplay`` does, and where it cannot answer at all.
  package init(
    _ trace: Trace, _ parameters: MachineParameters, assumptions: CausalAssumptions = CausalAssumptions(),
    movedBy shift: Int = 0
  ) throws(ReplayError) {
    guard let inForce = ParameterSource.inForce(.heartbeat, trace.header) else {
      throw ReplayError("nobody knows what was in force")
    }
    let unit = trace.header.unit
    let (old, asked) = (try inForce.heartbeat(unit), try parameters.heartbeat(unit))
    let (replayed, _) = try TraceReplay.replay(
      trace, inForce, options: ReplayOptions(tick: .standard(for: trace.header.source)))
    let sockets = SocketReader.sockets(in: trace, old, replayed: replayed)
    guard sockets.count == 1, let socket = sockets.first else {
      throw ReplayError("a study has one channel, and there are \(sockets.count)")
    }
    let evidence = SocketEvidence(socket, SocketPremises(assumptions, nil, trace.header))
    evidence.move(by: Double(shift))
    let prediction = SocketPrediction(evidence, asked)
    steps = prediction.lines.map(Step.init)
    ends = prediction.ends.map { end in
      End(
        cause: end.cause, earliest: end.earliest.whole, latest: end.latest.whole, isFirm: end.isFirm,
        grade: end.grade)
    }
    verdict = prediction.judgement.verdict
    let recording = try CausalReplay(trace, inForce, assumptions: assumptions)
    guard try !recording.departures(inForce).isEmpty else { return }
    doubt()
  }

  /// The recorded client was not the machine with what was in force: as a report does, nothing is held for firm.
  private mutating func doubt() {
    verdict = .inconclusive
    isDoubted = true
    for index in steps.indices { steps[index].grade = min(steps[index].grade, .assumed) }
    for index in ends.indices { ends[index].grade = min(ends[index].grade, .assumed) }
  }
}

extension CausalStudy.Step {
  fileprivate init(_ line: SocketPrediction.Line) {
    kind =
      switch line.key.kind {
      case .connect: .connect
      case .open: .open
      case .ping: .ping
      case .answer: .answer
      case .end: .end
      }
    (session, ordinal, hasFailed) = (line.key.session, line.key.ordinal, line.key.hasFailed)
    (t, earliest, latest) = (line.step.t.whole, line.earliest.whole, line.latest.whole)
    (cause, grade, proof) = (line.step.cause, line.grade, line.step.proof)
  }
}

extension SocketEvidence {
  fileprivate func move(by shift: Double) {
    guard shift != 0 else { return }
    for index in outages.indices {
      outages[index].sent += shift
      outages[index].givenUp += shift
      outages[index].start.move(by: shift)
      outages[index].end.move(by: shift)
      outages[index].likelyStart += shift
      outages[index].provenEnd += shift
    }
    for index in late.indices {
      late[index].before += shift
      late[index].sent += shift
      late[index].answered += shift
      late[index].next += shift
      late[index].start.move(by: shift)
      late[index].end.move(by: shift)
    }
    for index in lulls.indices {
      lulls[index].from += shift
      lulls[index].until += shift
      lulls[index].start.move(by: shift)
      lulls[index].end.move(by: shift)
    }
    for index in kills.indices {
      kills[index].at += shift
      kills[index].after += shift
      kills[index].unanswered = kills[index].unanswered.map { $0 + shift }
    }
    for index in refusals.indices {
      refusals[index].from += shift
      refusals[index].last += shift
      refusals[index].openAt += shift
    }
  }
}

extension SocketEvidence.Interval {
  fileprivate mutating func move(by shift: Double) { (lo, hi) = (lo + shift, hi + shift) }
}
