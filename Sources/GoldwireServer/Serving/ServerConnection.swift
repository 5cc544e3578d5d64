internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// One connection from its first byte to its end: requests one after the other, until one takes it over.
struct ServerConnection: Sendable {
  let core: ServerCore
  let wire: Wire
  /// Its number, from 1.
  let number: Int

  /// Serves it until it is over.
  func run() async {
    switch core.script.accepts.turn(number - 1) ?? .answer {
    case .answer: break
    case .reset: return wire.abort()
    case .close: return await wire.finish()
    case .silent:
      _ = await gone()
      return
    }
    var reader = RequestReader()
    while let request = await next(&reader) {
      guard await serve(request, &reader) else { break }
      reader.answered()
    }
    await wire.finish()
  }

  /// The next request's head; nil at the connection's end.
  private func next(_ reader: inout RequestReader) async -> Request? {
    while true {
      switch reader.next() {
      case .request(let request): return request
      case .body, .end: break
      case .bad(let status):
        refuse(status)
        return nil
      case .more:
        guard case .bytes(let bytes) = await wire.read() else { return nil }
        reader.take(bytes)
      }
    }
  }

  /// Answers what is no request, outside of any rule.
  private func refuse(_ status: Int) {
    var head = HTTPHead(status)
    head.add("Content-Length", "0")
    head.add("Connection", "close")
    wire.send(head.finished)
  }

  /// Serves a request; whether another may follow on the connection.
  private func serve(_ request: Request, _ reader: inout RequestReader) async -> Bool {
    if request.asksForWebSocket, let place = core.next(.webSocket, request.path) {
      await serveSocket(request, place, reader.takeRest())
      core.finish(.webSocket, place)
      return false
    }
    if request.asksForEventStream || !core.has(.http, request.path), request.method == .get,
      let place = core.next(.events, request.path)
    {
      await StreamAnswer(self, request, core.script.rules[place.rule].events.turn(place.turn)).run()
      core.finish(.events, place)
      return false
    }
    let place = core.next(.http, request.path)
    var behaviour = place.flatMap { core.script.rules[$0.rule].http.turn($0.turn) } ?? AnswerBehaviour()
    if place == nil { behaviour.status = core.has(.events, request.path) ? 405 : 404 }
    let exchange = RequestAnswer(self, request, behaviour)
    let goesOn = await exchange.run(&reader)
    if let place { core.finish(.http, place) }
    return goesOn
  }

  /// Puts a behaviour's faults before the connection from now on.
  func set(_ faults: [NetworkFault]) {
    let now = wire.clock.now.microseconds
    wire.set(
      core.script.network.map { $0.shifted(by: core.log.start) } + faults.map { $0.shifted(by: now) })
  }

  /// Waits as long as a delay says; false if the server ends meanwhile.
  func wait(_ delay: Delay, _ random: inout ScriptRandom) async -> Bool {
    let span = delay.draw(&random)
    guard span > 0 else { return true }
    let until = TapInstant(microseconds: wire.clock.now.microseconds.addingClamped(span))
    return (try? await wire.clock.sleep(until: until)) != nil
  }

  /// Reads on until the client ends the connection; gives how it did.
  func gone() async -> EndCause? {
    while true {
      switch await wire.read() {
      case .bytes: break
      case .end: return .fin
      case .failed(.reset): return .reset
      case .failed: return nil
      }
    }
  }

  /// Randomness of its own.
  var random: ScriptRandom { ScriptRandom(seed: core.script.seed, stream: 3 * number + 2) }

  // MARK: WebSocket

  private func serveSocket(_ request: Request, _ turn: ServerCore.Place, _ rest: [UInt8]) async {
    let behaviour = core.script.rules[turn.rule].webSocket.turn(turn.turn) ?? SocketBehaviour()
    let place = core.log.openSocket(request.path, at: wire.clock.now)
    set(behaviour.network)
    var random = random
    guard await wait(behaviour.openingDelay, &random) else { return }
    var opening = behaviour.opening
    let key = request.webSocketKey ?? []
    if opening == .accept, !WebSocketKey.isWhole(key.span) || request.webSocketVersion != "13" {
      var answer = AnswerBehaviour()
      answer.status = request.webSocketVersion == "13" ? 400 : 426
      opening = .refuse(answer)
    }
    let log = core.log
    switch opening {
    case .accept:
      var head = HTTPHead(101)
      head.add("Upgrade", "websocket")
      head.add("Connection", "Upgrade")
      head.add("Sec-WebSocket-Accept", String(decoding: WebSocketKey.accept(key.span), as: UTF8.self))
      wire.send(head.finished) { log.add(.wsOpen(status: 101, deflate: nil), place, at: $0) }
      await SocketSession(wire, behaviour, log, place, random: random).run(rest)
    case .refuse(let answer):
      var head = AnswerHead(answer, core)
      head.add("Content-Length", "0")
      head.add("Connection", "close")
      if answer.status == 426 { head.add("Sec-WebSocket-Version", "13") }
      let event = TraceEvent.wsRefused(cause: .status, status: answer.status, retry: head.retry)
      wire.send(head.head.finished) { log.add(event, place, at: $0) }
      wire.fin()
      await linger()
    case .silent:
      if let cause = await gone() { log.add(.wsEnd(cause: cause, dir: .out), place, at: wire.clock.now) }
    case .reset:
      let event = TraceEvent.wsRefused(cause: .reset, status: nil, retry: RetryFields())
      wire.reset { log.add(event, place, at: $0) }
      _ = await gone()
    case .close:
      let event = TraceEvent.wsRefused(cause: .fin, status: nil, retry: RetryFields())
      wire.fin { log.add(event, place, at: $0) }
      await linger()
    }
    log.release(place)
  }

  /// Waits a while for the client to end its side, so that what was sent is not lost by a reset.
  func linger() async {
    await withTaskGroup(of: Void.self) { group in
      let clock = wire.clock
      let until = TapInstant(microseconds: clock.now.microseconds + ServerLimits.linger)
      group.addTask { _ = await gone() }
      group.addTask { try? await clock.sleep(until: until) }
      _ = await group.next()
      group.cancelAll()
    }
  }
}
