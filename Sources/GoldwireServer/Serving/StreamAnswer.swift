internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// The answer to a request for an event stream; the connection ends with it.
struct StreamAnswer: Sendable {
  private let connection: ServerConnection
  private let request: Request
  private let behaviour: StreamBehaviour
  private let place: ServerLog.Place
  private let tally: StreamTally

  private var wire: Wire { connection.wire }
  private var log: ServerLog { connection.core.log }

  /// Begins with the request's head, which is logged now.
  init(_ connection: ServerConnection, _ request: Request, _ behaviour: StreamBehaviour?) {
    self.connection = connection
    self.request = request
    self.behaviour = behaviour ?? StreamBehaviour()
    let log = connection.core.log
    let place = log.openStream(request.path, cursor: request.lastEventID, at: connection.wire.clock.now)
    self.place = place
    tally = StreamTally(log, place)
  }

  /// Answers; whoever ends the connection first ends the stream.
  func run() async {
    connection.set(behaviour.answer.network)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        let cause = await connection.gone()
        if cause != nil { tally.end(.local, .out, at: wire.clock.now) }
        return true
      }
      group.addTask {
        await write()
        return false
      }
      if await group.next() == false {
        // The client has a while to end its side, so that what was sent is not lost by a reset.
        let clock = wire.clock
        let until = TapInstant(microseconds: clock.now.microseconds + ServerLimits.linger)
        group.addTask { (try? await clock.sleep(until: until)) != nil }
        _ = await group.next()
      }
      group.cancelAll()
    }
    log.release(place)
  }

  private func write() async {
    var random = connection.random
    guard await connection.wait(behaviour.answer.delay, &random) else { return }
    switch behaviour.answer.deed {
    case .answer: break
    case .silent: return await Once<Void>().wait()
    case .reset:
      wire.reset { [tally] in tally.end(.reset, .in, at: $0) }
      return
    case .close:
      wire.fin { [tally] in tally.end(.eof, .in, at: $0) }
      return
    }
    guard let blocks = behaviour.blocks(after: request.lastEventID) else { return refuse(400) }
    guard behaviour.answer.status == 200 else { return refuse(behaviour.answer.status) }
    sendHead()
    await send(blocks, &random)
    guard !Task.isCancelled, await connection.wait(behaviour.endDelay, &random) else { return }
    await end()
  }

  private func refuse(_ status: Int) {
    var answer = behaviour.answer
    answer.status = status
    var head = AnswerHead(answer, connection.core)
    if status != 204 { head.add("Content-Length", "0") }
    head.add("Connection", "close")
    let event = TraceEvent.sseOpen(status: status, type: nil, retry: head.retry)
    wire.send(head.head.finished) { [log, place, tally] in
      log.add(event, place, at: $0)
      tally.refuse()
    }
    wire.fin()
  }

  private func sendHead() {
    var head = AnswerHead(behaviour.answer, connection.core)
    head.add("Content-Type", behaviour.answer.type)
    head.add("Cache-Control", "no-store")
    if behaviour.answer.end == .chunked { head.add("Transfer-Encoding", "chunked") }
    head.add("Connection", "close")
    let isStream = behaviour.answer.type.lowercased().hasPrefix("text/event-stream")
    let event = TraceEvent.sseOpen(status: 200, type: isStream ? .eventStream : .other, retry: head.retry)
    wire.send(head.head.finished) { [log, place, tally] in
      log.add(event, place, at: $0)
      if !isStream { tally.refuse() }
    }
  }

  private func send(_ blocks: [StreamBehaviour.Block], _ random: inout ScriptRandom) async {
    var most = behaviour.cut ?? .max
    if behaviour.obeysCut, RequestQuery.values("cut", in: request.query) == ["1"] { most = min(most, 1) }
    var events = 0
    // Of a live stream, what the request does not ask for was there before it.
    var due = log.start.addingClamped(
      behaviour.blocks.dropLast(blocks.count).reduce(0) { $0.addingClamped($1.delay.base) })
    for block in blocks {
      due = due.addingClamped(block.delay.base)
      guard await wait(block.delay, due, &random) else { return }
      if events >= most {
        if behaviour.inside > 0 { send(Array(block.bytes.prefix(behaviour.inside))) }
        return
      }
      let pieces = block.pieces
      for (index, piece) in pieces.enumerated() {
        if index > 0 { wire.leaveGap(behaviour.gap) }
        send(piece)
      }
      await wire.room()
      if Task.isCancelled { return }
      if block.data != nil { events += 1 }
      if events >= most, behaviour.inside == 0 { return }
    }
  }

  /// Waits for a block; false if the server ends meanwhile.
  private func wait(_ delay: Delay, _ due: Int, _ random: inout ScriptRandom) async -> Bool {
    guard behaviour.isLive else { return await connection.wait(delay, &random) }
    let instant = TapInstant(microseconds: due.addingClamped(delay.draw(&random) - delay.base))
    return (try? await wire.clock.sleep(until: instant)) != nil
  }

  private func send(_ piece: [UInt8]) {
    let framed = behaviour.answer.end == .chunked ? HTTPHead.chunk(piece) : piece
    wire.send(framed) { [tally] in tally.add(piece, at: $0) }
  }

  private func end() async {
    switch behaviour.answer.end {
    case .length, .close, .chunked:
      if behaviour.answer.end == .chunked { wire.send(HTTPHead.lastChunk) }
      wire.fin { [tally] in tally.end(.eof, .in, at: $0) }
    case .reset:
      // A reset overtakes what the client has not read; so that it reads, the reset comes a moment later.
      wire.leaveGap(behaviour.gap)
      wire.reset { [tally] in tally.end(.reset, .in, at: $0) }
    case .open: await Once<Void>().wait()
    }
  }
}
