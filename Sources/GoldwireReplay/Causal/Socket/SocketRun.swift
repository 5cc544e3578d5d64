internal import GoldwireMachines

/// A client with other parameters in one world, from the recorded beginning to the horizon.
///
/// The client is the machine itself. What it does is graded by its weakest cause: as long as each of its sends is at
/// the recorded instant, what it meets is what was recorded.
struct SocketRun {
  let world: SocketWorld
  let parameters: Heartbeat.Parameters
  private(set) var steps: [PredictedStep]
  /// The client does more than a prediction can hold.
  private(set) var isEndless = false

  /// The limits of a prediction.
  enum Limits {
    /// The most steps of one client in one world.
    static let steps = 65_536
  }

  var machine: Heartbeat
  private(set) var grade = Grade.observed
  private(set) var doubt: PredictedStep.Doubt?
  /// Every own send so far is at its recorded instant.
  var isSame = true
  /// A connect was at another instant than the recorded one.
  var isMoved = false
  var nextHappening = 0
  /// The places of the next end by itself, and of the next connection that is dead; both are in order of time.
  var nextKill = 0
  var nextDead = 0

  /// `memory` is what an earlier run has left, taken for what this one writes.
  init(_ world: SocketWorld, _ parameters: Heartbeat.Parameters, memory: consuming [PredictedStep] = []) {
    memory.removeAll(keepingCapacity: true)
    steps = memory
    self.world = world
    evidence = world.evidence
    socket = world.evidence.socket
    self.parameters = parameters
    machine = Heartbeat(parameters)
    grade = world.evidence.premises.best
    if world.evidence.socket.hole != nil { lower(to: .assumed, .hole) }
  }

  let evidence: SocketEvidence
  let socket: RecordedSocket
  var second: Double { socket.second }

  /// How near two instants must be to be the same one.
  private var near: Double { 0.005 * second }

  /// Runs the client; the steps come in order.
  mutating func run() {
    guard var instant = socket.connections.first?.connect else { return }
    var number = socket.connections.first?.number ?? 1
    while instant <= socket.horizon, !isFull {
      defer { number = socket.number(after: number) }
      guard let end = connection(number, at: instant) else { break }
      guard let pause = pause(after: end.origin) else { break }
      instant = end.t + pause
    }
  }

  /// Gives the memory of the steps away.
  mutating func release() -> [PredictedStep] {
    var memory: [PredictedStep] = []
    swap(&memory, &steps)
    return memory
  }

  mutating func add(_ step: PredictedStep) {
    steps.append(step)
    steps[steps.count - 1].doubt = doubt
  }

  /// Lowers the grade of what follows.
  mutating func lower(to grade: Grade, _ reason: PredictedStep.Doubt) {
    guard grade < self.grade else { return }
    self.grade = grade
    if grade < .interpolated, doubt == nil { doubt = reason }
  }

  /// Whether nothing more is followed.
  var isFull: Bool {
    mutating get {
      if steps.count >= Limits.steps { isEndless = true }
      return isEndless
    }
  }

  // MARK: One connection

  /// Makes a connection and follows it to its end; nil where the recording ends first.
  private mutating func connection(_ number: Int, at instant: Double) -> PredictedStep? {
    let recorded = socket.connection(number)
    if let recorded, recorded.isResumed, !isMoved { return resumed(recorded) }
    _ = machine.connect(as: number, now: instant.whole)
    add(
      PredictedStep(kind: .connect, generation: number, t: instant, grade: grade, line: recorded?.connectLine)
    )
    var isAnchored = false
    if let recorded { isAnchored = abs(recorded.connect - instant) < near && !isMoved }
    if let recorded, isAnchored, recorded.open == nil {
      guard recorded.end != nil else { return nil }
      let sameLimit = parameters.connectTimeout == socket.parameters.connectTimeout
      if recorded.cause == .connectTimeout, !sameLimit { isAnchored = false }
    }
    if isAnchored, !isSame { lower(to: .interpolated, .moved) }
    var outcome: (at: Double, cause: Heartbeat.Cause?)
    if let recorded, isAnchored {
      outcome = recorded.open.map { ($0, nil) } ?? (recorded.end ?? socket.horizon, recorded.cause)
    } else {
      isMoved = true
      isSame = false
      lower(to: .assumed, .moved)
      outcome = world.connect(at: instant, limit: parameters.connectTimeout.map(Double.init) ?? .infinity)
    }
    if isAnchored, parameters.connectTimeout != socket.parameters.connectTimeout,
      let limit = parameters.connectTimeout.map(Double.init), outcome.at - instant >= limit
    {
      // Its own timer decides, whatever would have come later.
      outcome = (instant + limit, .connectTimeout)
      isAnchored = false
    }
    guard outcome.at <= socket.horizon else { return nil }
    let shown = isAnchored ? recorded?.openLine ?? recorded?.endLine : nil
    if let happened = pass(until: (outcome.at, shown ?? .max), recorded, number) { return happened }
    if let cause = outcome.cause {
      let known = isAnchored ? recorded : nil
      let step = end(
        number, at: outcome.at, cause, code: known?.code, grade: grade, origin: .end(number),
        line: known?.endLine ?? (cause == .connectTimeout ? recorded?.connectLine : nil))
      leave(recorded, step)
      return step
    }
    machine.opened(number, now: outcome.at.whole)
    add(
      PredictedStep(
        kind: .open, generation: number, t: outcome.at, grade: grade,
        line: isAnchored ? recorded?.openLine : nil))
    var session = SocketSession(number, isAnchored ? recorded : nil, opened: outcome.at)
    let step = follow(&session)
    if let step { leave(isAnchored ? recorded : nil, step) }
    return step
  }

  /// Takes up a connection that is known from a ping on.
  private mutating func resumed(_ recorded: RecordedConnection) -> PredictedStep? {
    let instant = recorded.connect
    machine.resume(recorded.number, pingID: nil, now: instant.whole)
    while nextHappening < socket.happenings.count, Double(socket.happenings[nextHappening].t) <= instant {
      let happening = socket.happenings[nextHappening]
      nextHappening += 1
      if happening.event == .background { machine.background() }
      if happening.event == .foreground { _ = machine.foreground(now: min(happening.t, instant.whole - 1)) }
    }
    var session = SocketSession(recorded.number, recorded, opened: instant)
    let step = follow(&session)
    if let step { leave(recorded, step) }
    return step
  }

  /// Tells the machine what happens before an instant, or before a line at it; an end where that ended the connection.
  private mutating func pass(
    until limit: (Double, Int), _ recorded: RecordedConnection?, _ number: Int
  ) -> PredictedStep? {
    while nextHappening < socket.happenings.count {
      let happening = socket.happenings[nextHappening]
      guard (Double(happening.t), happening.line) <= limit else { return nil }
      nextHappening += 1
      var event = happening.event
      if case .userClose = event { event = .userClose(number) }
      var action: Heartbeat.Action?
      machine.handle(event, at: happening.t) { action = $0 }
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
    guard let recorded, let end = isSame ? recorded.end : recorded.givenUp, abs(end - step.t) <= near else {
      isMoved = true
      return
    }
  }

  /// Ends the connection: by the machine's own tick, or because it is told.
  mutating func end(
    _ number: Int, at instant: Double, _ cause: Heartbeat.Cause, code: Int? = nil, grade: Grade,
    origin: SocketWorld.Origin, line: Int? = nil, isTold: Bool = false, doubt: PredictedStep.Doubt? = nil
  ) -> PredictedStep {
    let isOwn =
      cause == .pongTimeout || cause == .connectTimeout || cause == .staleOnResume || cause == .userClosed
    if !isTold {
      if isOwn {
        _ = machine.tick(now: max(instant.whole, machine.wakeup ?? 0))
      } else if cause != .superseded {
        _ = machine.ended(number, cause: cause, code: code)
      }
    }
    lower(to: grade, isMoved ? .moved : doubt ?? .coupled)
    let step = PredictedStep(
      kind: .end, generation: number, t: instant, cause: cause, code: code, isClose: isOwn, grade: self.grade,
      proof: grade, origin: origin, line: line)
    add(step)
    return step
  }

  /// How long the client waits before it connects again; nil where it did not, or never did.
  private func pause(after origin: SocketWorld.Origin?) -> Double? {
    if case .end(let number)? = origin, let index = socket.index(of: number),
      let end = isSame ? socket.connections[index].end : socket.connections[index].givenUp
    {
      guard index + 1 < socket.connections.count else { return nil }
      return max(0, socket.connections[index + 1].connect - end)
    }
    return evidence.usualDelay
  }
}
