internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

/// One run of a reader: the machine, the parser, and what they are told.
///
/// Every input is a step of the gate: the instant is read once, the machine decides, and the tap is told before the
/// session can change.
struct StreamRun<Store: CursorStore> {
  let reader: EventStreamReader<Store>
  let session: Int
  let stream: StreamTap?
  var machine: EventStream
  var parser = EventStreamParser(keepsData: true)
  var ids = EventIDTable()
  var connection: StreamGeneration?
  /// The bytes of the cursor that is committed.
  var cursor: [UInt8] = []
  /// The number of the latest event of this connection.
  var n = 0
  /// The tap was told that the oldest ids are forgotten.
  var hasForgotten = false

  init(_ reader: EventStreamReader<Store>, session: Int) {
    self.reader = reader
    self.session = session
    stream = reader.tap?.stream()
    machine = EventStream(reader.parameters)
  }

  mutating func end() async throws -> StreamEnd {
    do {
      try await begin()
      while true {
        try await connect()
        if let stop = machine.stop { return .stopped(stop) }
        try await pause()
      }
    } catch {
      reader.gate.step { _, now in
        stream?.cancelled(at: now)
        machine.handle(.cancel, at: now.microseconds) { _ in }
      }
      if error is StaleSession { return .stale }
      throw error
    }
  }
}

// MARK: - Connections

extension StreamRun {
  /// The first connection, from where the store stands.
  private mutating func begin() async throws {
    let stored = try await reader.store.load()
    try check()
    cursor = stored.cursor
    parser = EventStreamParser(keepsData: true, digestKey: stored.digestKey, limits: reader.limits)
    let number = ids.number(of: cursor)
    reader.gate.step { _, now in
      connection = stream?.connect(cursor: number, at: now)
      machine.handle(.connect(1, cursor: number), at: now.microseconds) { _ in }
    }
  }

  /// Waits until the next connection is due, and makes it.
  private mutating func pause() async throws {
    while machine.phase == .waiting, let due = machine.wakeup {
      try await reader.clock.sleep(until: TapInstant(microseconds: due))
      try check()
      reader.gate.step { _, now in
        machine.tick(at: now.microseconds) { action in
          if case .connect(let cursor) = action { connection = stream?.connect(cursor: cursor, at: now) }
        }
      }
    }
  }

  /// Sends the request, and reads until the connection is over.
  private mutating func connect() async throws {
    parser.restart(lastEventID: cursor)
    n = 0
    let reply: HTTPReply
    do {
      reply = try await reader.transport.send(wired) { _ in }
    } catch let failure as TransportFailure {
      try check()
      return cut(failure.cause)
    }
    defer { reply.body.cancel() }
    try check()
    reader.gate.step { _, now in
      let answer = reply.head.answer(wall: wall(at: now), unit: reader.unit())
      let isEventStream = reply.head.isEventStream
      connection?.opened(answer, type: isEventStream ? .eventStream : .other, at: now)
      machine.handle(
        .answered(machine.generation, answer, isEventStream: isEventStream), at: now.microseconds
      ) { _ in }
    }
    // A handler that dawdles keeps no request that nobody wants any more.
    try await withTaskCancellationHandler {
      while machine.phase == .open {
        guard let piece = try await piece(of: reply.body) else { return }
        try await read(piece)
      }
    } onCancel: {
      reply.body.cancel()
    }
  }

  /// The request with all that the stream needs: no `Last-Event-ID` where there is no cursor.
  private var wired: URLRequest {
    var request = reader.request
    request.httpMethod = "GET"
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
    // Silence is the machine's to judge, and not the loader's, which would end a quiet stream after a minute.
    request.timeoutInterval = 7 * 86_400
    let id = cursor.isEmpty ? nil : String(decoding: cursor, as: UTF8.self)
    request.setValue(id, forHTTPHeaderField: "Last-Event-ID")
    return request
  }

  /// The next piece of the body; nil once the connection is over, whatever ended it.
  private mutating func piece(of body: any ReplyBody) async throws -> [UInt8]? {
    let arrival: Arrival
    do {
      arrival = try await Arrival.next(of: body, until: machine.wakeup, reader.clock)
    } catch let failure as TransportFailure {
      try check()
      cut(failure.cause)
      return nil
    }
    try check()
    switch arrival {
    case .piece(let piece): return piece
    case .end: cut(.eof)
    case .silence: expire()
    }
    return nil
  }

  private mutating func cut(_ cause: Retry.TransportCause) {
    cut(cause == .reset || cause == .fin ? CutCause.reset : .error)
  }

  private mutating func cut(_ cause: CutCause) {
    step { run, now in
      run.connection?.cut(cause, .in, partial: run.parser.partialBytes, at: now)
      run.machine.handle(.cut(run.machine.generation), at: now.microseconds) { _ in }
    }
  }

  /// The silence is too long; it ends at its own instant, however late that is noticed, as a replay has it.
  private mutating func expire() {
    reader.gate.step { _, now in
      if let due = machine.wakeup { machine.tick(at: due) { _ in } }
      connection?.cut(.local, .out, partial: parser.partialBytes, at: now)
    }
  }
}

// MARK: - Steps

extension StreamRun {
  /// Tells the machine something, at one instant; a silence that was too long before that comes first.
  mutating func step(_ body: (inout StreamRun, TapInstant) -> Void) {
    let isExpired = reader.gate.step { _, now in
      if machine.phase == .open, let due = machine.wakeup, due < now.microseconds { return true }
      body(&self, now)
      return false
    }
    if isExpired { expire() }
  }

  /// Whether the session and the task are still wanted; throws where they are not.
  func check() throws {
    try Task.checkCancellation()
    guard reader.gate.session == session else { throw StaleSession() }
  }

  func wall(at now: TapInstant) -> Int { reader.tap?.wall(at: now) ?? reader.wall.now() }
}
