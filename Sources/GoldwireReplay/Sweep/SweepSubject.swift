internal import GoldwireMachines
internal import GoldwireTrace

/// A trace that is asked at many points: all that does not hang on the parameters asked is found once.
enum SweepSubject {
  case sockets([SocketEvidence], MachineParameters, Unit)
  case requests([RecordedRequest], MachineParameters, Retry.Parameters, RetryAdapter, Trace)
  case streams([RecordedStream], MachineParameters, EventStream.Parameters, Trace)

  /// Why a trace cannot be asked.
  enum Obstacle: CaseIterable, Sendable {
    case drivesNone, hasNoInstants, doesNotSay
  }

  /// What stands against asking a trace.
  static func obstacle(_ trace: Trace, _ machine: MachineName) -> Obstacle? {
    if !TraceReplay.machines(drivenBy: trace).contains(machine) { return .drivesNone }
    if trace.header.blind.contains(.times) { return .hasNoInstants }
    return ParameterSource.inForce(machine, trace.header) == nil ? .doesNotSay : nil
  }

  /// Prepares a trace; nil where something stands against it.
  init?(_ trace: Trace, _ machine: MachineName, _ assumptions: CausalAssumptions, _ pool: EvidencePool?)
    throws(ReplayError)
  {
    let unit = trace.header.unit
    guard Self.obstacle(trace, machine) == nil, let inForce = ParameterSource.inForce(machine, trace.header)
    else { return nil }
    let options = ReplayOptions(tick: .standard(for: trace.header.source))
    let (replayed, _) = try TraceReplay.replay(trace, inForce, options: options)
    switch machine {
    case .heartbeat:
      let old = try inForce.heartbeat(unit)
      let premises = SocketPremises(assumptions, pool, trace.header)
      let sockets = SocketReader.sockets(in: trace, old, replayed: replayed)
      self = .sockets(sockets.map { SocketEvidence($0, premises) }, inForce, unit)
    case .retry:
      let old = try inForce.retry(unit)
      self = .requests(
        RequestReader.requests(in: trace, old, replayed: replayed), inForce, old, RetryAdapter(old, trace),
        trace)
    case .stream:
      let old = try inForce.stream(unit)
      self = .streams(StreamReader.streams(in: trace, old, replayed: replayed), inForce, old, trace)
    }
  }

  /// What it comes to at a point.
  func tally(_ grid: SweepGrid, _ point: Int, herd: SweepHerd?) throws(ReplayError) -> SweepTally {
    var tally = SweepTally()
    switch self {
    case .sockets(let channels, let inForce, let unit):
      let asked = try grid.parameters(at: point, over: inForce).heartbeat(unit)
      for evidence in channels { tally.add(SocketPrediction(evidence, asked), unit) }
    case .requests(let requests, let inForce, let old, let adapter, let trace):
      let asked = try grid.parameters(at: point, over: inForce).retry(trace.header.unit)
      for request in requests { tally.add(request, asked, old, adapter, trace) }
      if let herd { try herd.add(requests, asked, to: &tally) }
    case .streams(let streams, let inForce, let old, let trace):
      let asked = try grid.parameters(at: point, over: inForce).stream(trace.header.unit)
      for stream in streams { tally.add(stream, asked, old, trace) }
    }
    return tally
  }
}

extension SweepTally {
  fileprivate mutating func add(_ prediction: SocketPrediction, _ unit: Unit) {
    count(prediction.judgement.verdict)
    let factor = unit == .us ? 1.0 : 1_000.0
    var unnoticed = prediction.evidence.deaths
    for line in prediction.lines {
      switch line.key.kind {
      case .ping: sends += 1
      case .end:
        if case .end(let number)? = line.step.origin { unnoticed.remove(number) }
        guard let cause = line.step.cause else { continue }
        let isClose = cause == .pongTimeout || cause == .connectTimeout || cause == .staleOnResume
        if isClose { closes += 1 }
        let death = prediction.evidence.death(behind: line.step.origin)
        if cause == .pongTimeout, death == nil { failures += 1 }
        if let death, !line.key.hasFailed { delays.append((max(0, line.step.t - death) * factor).whole) }
      case .connect, .open, .answer: break
      }
    }
    missed += unnoticed.count
  }

  fileprivate mutating func add(
    _ request: RecordedRequest, _ asked: Retry.Parameters, _ old: Retry.Parameters, _ adapter: RetryAdapter,
    _ trace: Trace
  ) {
    let prediction = RequestPrediction(
      request, asked, inForce: old, horizon: trace.horizon, best: .observed,
      knowsUnit: { attempt in
        let wait = GoldenLine(.wait, channel: request.channel, req: request.req, attempt: attempt + 1)
        return !adapter.isUnitAssumed(wait)
      })
    count(prediction.part(Words(trace.header.unit)).verdict)
    guard let run = prediction.runs.first, !request.hasHole else { return }
    let resent = run.steps.count { if case .send = $0.action { true } else { false } }
    sends += 1 + resent
    guard case .stop(let outcome)? = run.steps.last?.action else { return closes += resent }
    closes += outcome == .delivered ? resent : resent + 1
    if outcome != .delivered { failures += 1 }
    guard outcome == .delivered, let end = run.steps.last?.t else { return }
    let (span, overflow) = (end - request.start).multipliedReportingOverflow(
      by: trace.header.unit == .us ? 1 : 1_000)
    if !overflow { delays.append(span) }
  }

  fileprivate mutating func add(
    _ stream: RecordedStream, _ asked: EventStream.Parameters, _ old: EventStream.Parameters, _ trace: Trace
  ) {
    let prediction = StreamPrediction(
      stream, asked, inForce: old, horizon: trace.horizon, best: .observed,
      assumesHandled: trace.header.blind.contains(.handler))
    count(prediction.part(Words(trace.header.unit)).verdict)
    guard let run = prediction.runs.first, let now = prediction.nows.first, !stream.hasHole else { return }
    sends += now.connects + 1
    closes += now.connects
    failures += now.givenUp
    guard let waited = prediction.catchUp(run) else { return }
    let (span, overflow) = waited.multipliedReportingOverflow(by: trace.header.unit == .us ? 1 : 1_000)
    if !overflow { delays.append(span) }
  }
}

extension SocketEvidence {
  /// The open connections whose peer, or the path to it, died.
  var deaths: Set<Int> {
    Set(outages.filter { !$0.isHandshake }.map(\.connection))
      .union(kills.filter { $0.unanswered != nil }.map(\.connection))
  }

  /// When a peer, or the path to it, died that an end is due to; nil where it was alive.
  func death(behind origin: SocketWorld.Origin?) -> Double? {
    guard case .end(let number)? = origin else { return nil }
    if let outage = outages.first(where: { $0.connection == number }) {
      return (outage.likelyStart + outage.start.hi) / 2
    }
    guard let kill = kills.first(where: { $0.connection == number }), let first = kill.unanswered else {
      return nil
    }
    return (kill.after + first) / 2
  }
}
