internal import GoldwireMachines
public import GoldwireTrace

/// What a recording tells of a client's surroundings, as causal replays take it: for people who want to see why.
public struct CausalModel: Sendable {
  /// Something that was inferred.
  public struct Finding: Equatable, Sendable {
    /// The channel.
    public var channel: Channel
    /// What it is, in words.
    public var text: String
    /// The indices of the lines that it was inferred from.
    public var lines: [Int]
  }

  /// What was inferred, by channel.
  public private(set) var findings: [Finding] = []
  /// What is to be said beside it, a line each.
  public private(set) var remarks: [String] = []
  private let trace: Trace
  private let words: Words

  /// Infers it, for each machine that the trace drives.
  ///
  /// Throws where a parameter in force is no whole number of the trace's unit.
  public init(
    _ trace: Trace, assumptions: CausalAssumptions = CausalAssumptions(), pool: EvidencePool? = nil,
    configuration: Configuration = Configuration()
  ) throws(ReplayError) {
    self.trace = trace
    words = Words(trace.header.unit, configuration)
    guard !trace.header.blind.contains(.times) else {
      remarks = Telling.blindTimes
      return
    }
    for machine in TraceReplay.machines(drivenBy: trace) {
      guard let inForce = ParameterSource.inForce(machine, trace.header) else {
        remarks += Telling.unknownInForce(machine, trace.header.source, configuration)
        continue
      }
      let options = ReplayOptions(tick: .standard(for: trace.header.source))
      let (replayed, _) = try TraceReplay.replay(trace, inForce, options: options)
      switch machine {
      case .heartbeat: try addSockets(replayed, inForce, SocketPremises(assumptions, pool, trace.header))
      case .retry: try addRequests(replayed, inForce)
      case .stream: try addStreams(replayed, inForce)
      }
    }
  }

  private mutating func add(_ channel: Channel, _ text: String, _ lines: [Int?]) {
    findings.append(Finding(channel: channel, text: text, lines: lines.compactMap(\.self).unique))
  }

  // MARK: WebSocket

  private mutating func addSockets(
    _ replayed: Replayed, _ inForce: MachineParameters, _ premises: SocketPremises
  ) throws(ReplayError) {
    let parameters = try inForce.heartbeat(trace.header.unit)
    for socket in SocketReader.sockets(in: trace, parameters, replayed: replayed) {
      let evidence = SocketEvidence(socket, premises)
      if let hole = socket.hole { add(socket.channel, "known from a hole in the recording on", [hole]) }
      let trips = evidence.trips
      let samples = trips.clean.filter { $0.line != nil }
      if !samples.isEmpty {
        let lengths = samples.map(\.length).sorted()
        add(
          socket.channel,
          "\(Words.count(samples.count, "clean round trip")), \(span(lengths[0])) to \(span(lengths[lengths.count - 1])), "
            + "\(span(lengths[lengths.count / 2])) in the middle",
          [samples[0].line, samples[samples.count - 1].line])
      }
      if evidence.survived > 0 {
        let until = evidence.survivedAt.map { ", up to \(words.instant($0.whole))" } ?? ""
        add(socket.channel, "the longest silence that was survived is \(span(evidence.survived))\(until)", [])
      }
      addFaults(evidence)
      addLimits(evidence)
    }
  }

  private mutating func addFaults(_ evidence: SocketEvidence) {
    let socket = evidence.socket
    for outage in evidence.outages {
      let connection = socket.connection(outage.connection)
      guard !outage.isStall else {
        add(
          socket.channel,
          "a ping of connection \(outage.connection) arrived, and was never answered: the server was silent from "
            + "\(between(outage.start)) to \(between(outage.end))"
            + (outage.mayBeIdle ? ", or what lies between had forgotten the connection" : ""),
          [connection?.pings.last?.line, connection?.endLine])
        continue
      }
      let what = outage.isHandshake ? "a handshake" : "a ping"
      add(
        socket.channel,
        "\(what) of connection \(outage.connection) was never answered: an outage, a stall or a slow path that began "
          + "\(between(outage.start)) and ended \(between(outage.end))"
          + (outage.mayBeIdle ? ", or a limit on silence" : ""),
        [connection?.pings.last?.line, connection?.endLine])
    }
    for late in evidence.late {
      add(
        socket.channel,
        "a reply came after \(span(late.answered - late.sent)), far later than its neighbours: an outage, a stall or a "
          + "slow path", [late.line])
    }
    for lull in evidence.lulls {
      add(
        socket.channel,
        "nothing came in from \(instant(lull.from)) to \(instant(lull.until)), and then more at once than usual: an outage "
          + "or a stall may have held it", [])
    }
    for kill in evidence.kills {
      let how =
        kill.unanswered == nil
        ? "with nothing outstanding: by itself"
        : kill.isImmediate
          ? "a round trip after a send: by itself, or as the answer to it" : "with data outstanding"
      add(
        socket.channel, "connection \(kill.connection) ended by \(kill.cause.rawValue), \(how)",
        [socket.connection(kill.connection)?.endLine])
    }
    for refusal in evidence.refusals {
      let open =
        refusal.openAt == .infinity ? "never seen to accept" : "accepted at \(instant(refusal.openAt))"
      add(
        socket.channel, "connects were refused up to \(instant(refusal.last)); \(open)",
        socket.connections.filter { $0.connect >= refusal.from && $0.connect <= refusal.last }.map(\.endLine))
    }
  }

  private mutating func addLimits(_ evidence: SocketEvidence) {
    let channel = evidence.socket.channel
    if let idle = evidence.idle {
      let how =
        switch idle.kind {
        case .silent: "silently"
        case .reset: "with a reset in answer to what is sent next"
        case .active: "with an end at once"
        }
      let firm = idle.isDeclared ? "declared" : idle.isCertain ? "taken for certain" : "possible"
      add(
        channel,
        "a limit on silence, \(firm): \(between(idle.limit, "between")), \(how); \(Words.count(idle.kills, "end"))",
        idle.lines.prefix(4).map { $0 })
    }
    if let rate = evidence.rate {
      add(
        channel,
        "a limit on pings is possible: \(span(rate.punished)) apart were punished, \(span(rate.tolerated)) borne",
        [])
    }
  }

  // MARK: HTTP and event streams

  private mutating func addRequests(_ replayed: Replayed, _ inForce: MachineParameters) throws(ReplayError) {
    let parameters = try inForce.retry(trace.header.unit)
    for request in RequestReader.requests(in: trace, parameters, replayed: replayed) {
      let world = RequestWorld(request, .attempts, unit: 0, statuses: parameters.statuses)
      guard world.refused > 0 else { continue }
      let back =
        world.answered.map { "answered at \(words.instant(request.attempts[$0].sent))" } ?? "never answered"
      add(
        request.channel,
        "r\(request.req) was refused \(Words.count(world.refused, "time")), the last at "
          + "\(words.instant(world.lastRefused)), and \(back)", request.attempts.map { $0.reply?.line })
    }
  }

  private mutating func addStreams(_ replayed: Replayed, _ inForce: MachineParameters) throws(ReplayError) {
    let parameters = try inForce.stream(trace.header.unit)
    for stream in StreamReader.streams(in: trace, parameters, replayed: replayed) {
      for (before, after) in zip(stream.connections, stream.connections.dropFirst()) {
        let end =
          before.cut.map { before.isOpen ? "was cut at \(words.instant($0.t))" : "failed" } ?? "was given up"
        let then = after.isOpen ? "answered" : "failed too"
        add(
          stream.channel,
          "connection \(before.number) \(end); the next one, asked for at \(words.instant(after.connect)), \(then)",
          [before.cut?.line, after.line])
      }
    }
  }
}

// MARK: - Text

extension CausalModel {
  /// The model in words, by channel, each with the lines that it was inferred from.
  public func text() -> String {
    var lines: [String] = []
    var channel: Channel?
    for finding in findings {
      if finding.channel != channel { lines.append(words.channel(finding.channel, nil)) }
      channel = finding.channel
      let from = finding.lines.map { String(trace.lineNumber(at: $0)) }
      lines.append("  " + finding.text + (from.isEmpty ? "" : " (line \(from.joined(separator: ", ")))"))
    }
    if findings.isEmpty, remarks.isEmpty { lines.append("nothing is to be inferred") }
    return (lines + remarks).joined(separator: "\n") + "\n"
  }

  /// The model as JSON Lines: an object for each finding.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for finding in findings {
      bytes.put("{\"ch\":\"\(finding.channel)\",\"inferred\":")
      bytes.append(json: finding.text)
      bytes.put(
        ",\"lines\":[\(finding.lines.map { String(trace.lineNumber(at: $0)) }.joined(separator: ","))]}\n")
    }
    for remark in remarks {
      bytes.put("{\"remark\":")
      bytes.append(json: remark)
      bytes.put("}\n")
    }
    return bytes
  }

  private func span(_ length: Double) -> String { words.span(length.whole) }

  private func instant(_ t: Double) -> String { words.instant(t.whole) }

  private func between(_ interval: SocketEvidence.Interval) -> String {
    guard interval.hi < .infinity else {
      return "after \(instant(interval.lo)) and before nothing that was seen"
    }
    return "between \(instant(interval.lo)) and \(instant(interval.hi))"
  }

  private func between(_ interval: SocketEvidence.Interval, _ word: String) -> String {
    "\(word) \(span(interval.lo)) and \(span(interval.hi))"
  }
}
