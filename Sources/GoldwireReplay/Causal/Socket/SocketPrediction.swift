internal import GoldwireMachines
internal import GoldwireTrace

/// What a client with other parameters would have done on one WebSocket channel.
struct SocketPrediction {
  /// A step of the likeliest world, with what the others say of it.
  struct Line {
    var key: StepKey
    var step: PredictedStep
    /// When it happens at the earliest and at the latest.
    var earliest: Double
    var latest: Double
    var grade: Grade
  }

  /// The end of a session, aligned over the worlds by the recorded event that causes it.
  struct End {
    var origin: SocketWorld.Origin
    var cause: Heartbeat.Cause
    var earliest: Double
    var latest: Double
    /// How many worlds have it.
    var worlds: Int
    var isFirm: Bool
    var grade: Grade
    /// The end in the first world that has it.
    var step: PredictedStep
  }

  let evidence: SocketEvidence
  let parameters: Heartbeat.Parameters
  /// How many worlds were asked.
  private(set) var worlds = 0
  /// The likeliest world's steps, in order.
  private(set) var lines: [Line] = []
  /// What ends sessions, in order of time.
  private(set) var ends: [End] = []
  /// The client does more than a prediction can hold, so that its end is missing.
  private(set) var isEndless = false

  init(_ evidence: SocketEvidence, _ parameters: Heartbeat.Parameters) {
    self.evidence = evidence
    self.parameters = parameters
    var found: [EndKey: End] = [:]
    var memory: [PredictedStep] = []
    for (choice, count) in evidence.distinctChoices where !isEndless {
      var run = SocketRun(SocketWorld(evidence, choice), parameters, memory: memory)
      memory = []
      run.run()
      isEndless = run.isEndless
      memory = run.release()
      if worlds == 0 { begin(memory) } else { add(memory) }
      Self.add(memory, count, to: &found)
      worlds += count
    }
    let all = worlds
    let ends = found.values.map { end in
      var end = end
      end.isFirm = end.worlds == all
      return end
    }
    self.ends = ends.sorted { ($0.earliest, $0.cause.rawValue) < ($1.earliest, $1.cause.rawValue) }
  }

  // MARK: Lines

  /// Takes the likeliest world.
  private mutating func begin(_ steps: [PredictedStep]) {
    lines.reserveCapacity(steps.count)
    var numbering = StepNumbering()
    for step in steps {
      lines.append(
        Line(
          key: numbering.key(of: step), step: step, earliest: step.t, latest: step.t, grade: step.grade))
    }
  }

  /// Takes another world: what all agree on keeps its weakest grade, all else is unidentified.
  private mutating func add(_ steps: [PredictedStep]) {
    let margin = evidence.socket.horizon - 3 * Double(parameters.interval)
    var numbering = StepNumbering()
    var next = 0
    // What is missing close to the recording's end may only come later.
    func miss(_ line: inout Line) {
      if line.step.t <= margin { line.grade = .unidentified }
    }
    for step in steps {
      let rank = numbering.key(of: step).rank
      while next < lines.count, lines[next].key.rank < rank {
        miss(&lines[next])
        next += 1
      }
      guard next < lines.count else { return }
      guard lines[next].key.rank == rank else { continue }
      lines[next].take(step)
      next += 1
    }
    while next < lines.count {
      miss(&lines[next])
      next += 1
    }
  }

  // MARK: Ends

  private struct EndKey: Hashable {
    var origin: SocketWorld.Origin
    var cause: Heartbeat.Cause
  }

  private static func add(_ steps: [PredictedStep], _ weight: Int, to found: inout [EndKey: End]) {
    var seen: Set<EndKey> = []
    var numbering = StepNumbering()
    for step in steps {
      guard step.kind == .end else {
        numbering.pass(step)
        continue
      }
      guard !numbering.key(of: step).hasFailed, let cause = step.cause else { continue }
      let key = EndKey(origin: step.origin ?? .other(step.generation), cause: cause)
      guard seen.insert(key).inserted else { continue }
      var end =
        found[key]
        ?? End(
          origin: key.origin, cause: cause, earliest: step.t, latest: step.t, worlds: 0, isFirm: false,
          grade: step.grade, step: step)
      end.earliest = min(end.earliest, step.t)
      end.latest = max(end.latest, step.t)
      end.worlds += weight
      end.grade = min(end.grade, step.grade)
      found[key] = end
    }
  }
}

extension SocketPrediction.Line {
  /// Takes what another world has at its place.
  fileprivate mutating func take(_ other: PredictedStep) {
    earliest = min(earliest, other.t)
    latest = max(latest, other.t)
    if let proof = other.proof, proof < step.proof ?? .observed { step.proof = proof }
    if other.cause != step.cause {
      grade = .unidentified
    } else if other.grade < grade {
      (grade, step.doubt) = (other.grade, other.doubt)
    }
  }
}
