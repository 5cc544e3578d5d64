internal import GoldwireMachines

/// A client with other parameters in one world, from the recorded beginning to the horizon.
///
/// The client is the machine itself. What it does is graded by its weakest cause: as long as each of its sends is at
/// the recorded instant, what it meets is what was recorded.
struct SocketRun {
  let world: SocketWorld
  let parameters: Heartbeat.Parameters
  /// The grade of what follows pings that are closer than any that were recorded.
  let rateGrade: Grade
  private(set) var steps: [PredictedStep] = []

  var machine: Heartbeat
  var grade = Grade.observed
  /// Every own send so far is at its recorded instant.
  var isSame = true
  /// A connect was at another instant than the recorded one.
  var isMoved = false
  var nextHappening = 0
  var sends: [Double]
  var arrivals: [Double]
  var delays: [Double]

  init(_ world: SocketWorld, _ parameters: Heartbeat.Parameters, rateGrade: Grade) {
    self.world = world
    self.parameters = parameters
    self.rateGrade = rateGrade
    machine = Heartbeat(parameters)
    let socket = world.evidence.socket
    sends = socket.connections.flatMap(\.sends).sorted()
    arrivals = socket.connections.flatMap(\.arrivals).sorted()
    delays = socket.reconnectDelays.sorted()
  }

  var evidence: SocketEvidence { world.evidence }
  var socket: RecordedSocket { evidence.socket }
  var second: Double { evidence.second }

  /// How near two instants must be to be the same one.
  private var near: Double { 0.005 * second }

  /// Runs the client; the steps come in order.
  mutating func run() -> [PredictedStep] {
    guard var instant = socket.connections.first?.connect else { return [] }
    var number = 0
    while instant <= socket.horizon {
      number += 1
      guard let end = connection(number, at: instant) else { break }
      guard let pause = pause(after: end.origin) else { break }
      instant = end.t + pause
    }
    return steps
  }

  mutating func add(_ step: PredictedStep) { steps.append(step) }

  /// The instant as the machine sees it: a whole unit, rounded down.
  func whole(_ instant: Double) -> Int { Int(instant.rounded(.down)) }

  // MARK: One connection

  /// Makes a connection and follows it to its end; nil where the recording ends first.
  private mutating func connection(_ number: Int, at instant: Double) -> PredictedStep? {
    let recorded = socket.connection(number)
    _ = machine.connect(as: number, now: whole(instant))
    add(PredictedStep(kind: .connect, generation: number, t: instant, grade: grade, line: recorded?.connectLine))
    var isAnchored = false
    if let recorded { isAnchored = abs(recorded.connect - instant) < near && !isMoved }
    if let recorded, isAnchored, recorded.open == nil {
      guard recorded.end != nil else { return nil }
      let sameLimit = parameters.connectTimeout == socket.parameters.connectTimeout
      if recorded.cause == .connectTimeout, !sameLimit { isAnchored = false }
    }
    if isAnchored, !isSame { grade = min(grade, .interpolated) }
    var outcome: (at: Double, cause: Heartbeat.Cause?)
    if let recorded, isAnchored {
      outcome = recorded.open.map { ($0, nil) } ?? (recorded.end ?? socket.horizon, recorded.cause)
    } else {
      isMoved = true
      isSame = false
      grade = min(grade, .assumed)
      outcome = world.connect(at: instant, limit: parameters.connectTimeout.map(Double.init) ?? .infinity)
    }
    guard outcome.at <= socket.horizon else { return nil }
    if let happened = pass(until: outcome.at, recorded, number) { return happened }
    if let cause = outcome.cause {
      let line = isAnchored ? recorded?.endLine : nil
      let step = end(number, at: outcome.at, cause, grade: grade, origin: .end(number), line: line)
      leave(recorded, step)
      return step
    }
    machine.opened(number, now: whole(outcome.at))
    add(
      PredictedStep(
        kind: .open, generation: number, t: outcome.at, grade: grade,
        line: isAnchored ? recorded?.openLine : nil))
    var session = SocketSession(number, isAnchored ? recorded : nil, opened: outcome.at)
    let step = follow(&session)
    if let step { leave(isAnchored ? recorded : nil, step) }
    return step
  }

  /// Tells the machine what happens before an instant; an end where that ended the connection.
  private mutating func pass(
    until instant: Double, _ recorded: RecordedConnection?, _ number: Int
  ) -> PredictedStep? {
    while nextHappening < socket.happenings.count {
      let happening = socket.happenings[nextHappening]
      guard Double(happening.t) <= instant else { return nil }
      nextHappening += 1
      var action: Heartbeat.Action?
      machine.handle(happening.event, at: happening.t) { action = $0 }
      guard let action, case .close = action, let cause = machine.cause else { continue }
      let step = end(
        number, at: Double(happening.t), cause, grade: grade, origin: .end(number), line: happening.line,
        isTold: true)
      leave(recorded, step)
      return step
    }
    return nil
  }

  private mutating func leave(_ recorded: RecordedConnection?, _ step: PredictedStep) {
    guard let end = recorded?.end, abs(end - step.t) <= near else {
      isMoved = true
      return
    }
  }

  /// Ends the connection: by the machine's own tick, or because it is told.
  mutating func end(
    _ number: Int, at instant: Double, _ cause: Heartbeat.Cause, code: Int? = nil, grade: Grade,
    origin: SocketWorld.Origin, line: Int? = nil, isTold: Bool = false
  ) -> PredictedStep {
    let isOwn = cause == .pongTimeout || cause == .connectTimeout || cause == .staleOnResume || cause == .userClosed
    if !isTold {
      if isOwn { _ = machine.tick(now: whole(instant)) }
      else { _ = machine.ended(number, cause: cause, code: code) }
    }
    self.grade = min(self.grade, grade)
    let step = PredictedStep(
      kind: .end, generation: number, t: instant, cause: cause, code: code, isClose: isOwn, grade: self.grade,
      proof: grade, origin: origin, line: line)
    add(step)
    return step
  }

  /// How long the client waits before it connects again; nil where it did not, or never did.
  private func pause(after origin: SocketWorld.Origin?) -> Double? {
    if case .end(let number)? = origin, let index = socket.connections.firstIndex(where: { $0.number == number }) {
      guard let end = socket.connections[index].end else { return delays.isEmpty ? nil : delays[delays.count / 2] }
      guard index + 1 < socket.connections.count else { return nil }
      return max(0, socket.connections[index + 1].connect - end)
    }
    return delays.isEmpty ? nil : delays[delays.count / 2]
  }
}
