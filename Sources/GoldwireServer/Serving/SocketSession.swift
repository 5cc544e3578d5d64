internal import GoldwireBytes
internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// The server's side of one WebSocket connection after its handshake.
///
/// What is to be done stands in one agenda in order of time, so that equal scripts do equal things in equal order.
actor SocketSession {
  /// Something that is to be done at an instant.
  enum Duty: Sendable {
    case step(Int, left: Int)
    case pong(number: Int, payload: [UInt8], kind: SocketBehaviour.PongKind)
    case idle
    case linger
  }

  let wire: Wire
  let behaviour: SocketBehaviour
  let log: ServerLog
  let place: ServerLog.Place
  var random: ScriptRandom
  var decoder: WebSocketDecoder
  /// What was pinged each way, for the numbers of pongs.
  var clientPings = PingMemory()
  var serverPings = PingMemory()
  var messages = 0
  var recentPings: [Int] = []
  var hasSentClose = false
  var isOver = false
  private var agenda: [(at: Int, task: Duty)] = []
  private var timer: Task<Void, Never>?
  private var isFiring = false
  private let ended = Guarded(false)

  /// A session over a connection whose handshake is done.
  init(
    _ wire: Wire, _ behaviour: SocketBehaviour, _ log: ServerLog, _ place: ServerLog.Place,
    random: ScriptRandom
  ) {
    self.wire = wire
    self.behaviour = behaviour
    self.log = log
    self.place = place
    self.random = random
    var limits = WebSocketLimits()
    limits.frameBytes = ServerLimits.message
    limits.keptBytes = behaviour.echoes ? ServerLimits.echo : 0
    decoder = WebSocketDecoder(from: .client, limits: limits)
  }

  /// Plays until the connection is over; `rest` came behind the handshake.
  func run(_ rest: [UInt8]) async {
    trigger(.open)
    if let limit = behaviour.idleLimit { schedule(.idle, after: limit.after) }
    await fire()
    if !rest.isEmpty { await feed(rest) }
    while !isOver {
      switch await wire.read() {
      case .bytes(let bytes):
        await feed(bytes)
        await wire.room()
      case .end:
        end(.fin, .out, at: wire.clock.now)
        isOver = true
      case .failed(let error):
        if error == .reset { end(.reset, .out, at: wire.clock.now) }
        if error == .timeout { end(.timeout, .out, at: wire.clock.now) }
        isOver = true
      }
    }
    timer?.cancel()
    await wire.finish()
    log.release(place)
  }

  /// Writes how the connection ended, once.
  nonisolated func end(_ cause: EndCause, _ direction: Direction, at instant: TapInstant) {
    let isFirst = ended.withLock { isEnded in
      defer { isEnded = true }
      return !isEnded
    }
    if isFirst { log.add(.wsEnd(cause: cause, dir: direction), place, at: instant) }
  }

  // MARK: Agenda

  /// Adds a task, behind those of the same instant; false if there are too many.
  @discardableResult
  func schedule(_ task: Duty, after delay: Int) -> Bool {
    guard agenda.count < ServerLimits.agenda else { return false }
    let at = wire.clock.now.microseconds.addingClamped(delay)
    agenda.insert((at, task), at: agenda.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0)
    return true
  }

  /// Adds the steps of a trigger.
  func trigger(_ trigger: SocketStep.Trigger) {
    for (index, step) in behaviour.steps.enumerated() where step.trigger == trigger {
      schedule(.step(index, left: step.count), after: step.delay.draw(&random))
    }
  }

  /// Does what is due, and sets the timer for the rest.
  func fire() async {
    guard !isFiring else { return }
    isFiring = true
    while !isOver, let first = agenda.first, first.at <= wire.clock.now.microseconds {
      agenda.removeFirst()
      perform(first.task)
      await wire.room()
    }
    isFiring = false
    timer?.cancel()
    guard !isOver, let first = agenda.first else { return }
    let wire = wire
    timer = Task { [weak self] in
      guard (try? await wire.clock.sleep(until: TapInstant(microseconds: first.at))) != nil else { return }
      await self?.fire()
    }
  }

  private func perform(_ task: Duty) {
    switch task {
    case .step(let index, let left):
      let step = behaviour.steps[index]
      perform(step.deed)
      if left > 1 { schedule(.step(index, left: left - 1), after: step.every) }
    case .pong(let number, let payload, let kind):
      pong(payload, kind)
      trigger(.afterPong(number))
    case .idle: judgeIdleness()
    case .linger: kill()
    }
  }

  /// Ends the connection though the client has not ended its side.
  private func kill() {
    isOver = true
    wire.abort()
  }

  // MARK: In

  /// Takes bytes of the client.
  private func feed(_ bytes: [UInt8]) async {
    var offset = 0
    while !isOver, let event = decoder.next(bytes.span, &offset, at: 0) {
      let now = wire.clock.now
      switch event {
      case .message(let message): take(message, at: now)
      case .ping(let count): takePing(count, at: now)
      case .pong(let count):
        let number = serverPings.number(of: decoder.payload)
        log.add(.wsPong(dir: .out, id: number, bytes: count), place, at: now)
      case .close(let code): takeClose(code, at: now)
      case .broken(let rule):
        log.add(.recNote(.protocol, rule: nil), place, at: now)
        fail(rule == .wsUTF8 ? 1007 : 1002)
      case .limit: fail(1009)
      case .resumed: break
      }
      await fire()
    }
  }

  private func take(_ message: WebSocketMessage, at now: TapInstant) {
    messages += 1
    let fields = WSMessage(dir: .out, kind: message.kind == .text ? .text : .binary, bytes: message.bytes)
    log.add(.wsMessage(fields), place, at: now)
    if behaviour.echoes, message.content == .read, decoder.payload.count == message.bytes {
      send(isText: message.kind == .text, decoder.payload)
    }
    trigger(.message(messages))
  }

  private func takePing(_ count: Int, at now: TapInstant) {
    let payload = decoder.payload
    let number = clientPings.add(payload)
    log.add(.wsPing(dir: .out, id: number, bytes: count), place, at: now)
    guard !hasSentClose, !exceeds(at: now.microseconds) else { return }
    trigger(.beforePong(number))
    let pong = behaviour.pongs.turn(number - 1) ?? SocketBehaviour.Pong()
    schedule(.pong(number: number, payload: payload, kind: pong.kind), after: pong.delay.draw(&random))
  }

  private func takeClose(_ code: Int?, at now: TapInstant) {
    let written = code.flatMap { (1000...4999).contains($0) ? $0 : nil }
    log.add(.wsClose(dir: .out, code: written, by: .unknown), place, at: now)
    guard behaviour.answersClose else { return }
    if !hasSentClose { close(code) }
    finishStream()
  }
}
