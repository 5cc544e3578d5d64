internal import GoldwireBytes
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// One connection over a socket: one task reads, one writes, and whatever both know stands behind a lock.
final class SocketWebSocketConnection: WebSocketConnection {
  /// Where the connection stands.
  enum Phase {
    /// Being made: to `open` or `over`.
    case connecting
    /// Open: to `closing` or `over`.
    case open
    /// A close frame was sent or received, or a rule was broken; the end of the stream is waited for: to `over`.
    case closing
    /// Over.
    case over
  }

  struct State {
    var phase = Phase.connecting
    var stream: TCPStream?
    var task: Task<Void, Never>?
    var closing: Task<Void, Never>?
    var outbox = SocketOutbox()
    /// The pings that were sent; each has its ordinal as payload.
    var pings = 0
    var hasSentClose = false
    /// Whether the peer was waited for in vain after a close frame.
    var hasTimedOut = false
    var hasTold = false
  }

  let request: WebSocketRequest
  let options: SocketWebSocketTransport.Options
  let clock: any DriverClock
  let inbox: WebSocketInbox
  let state = Guarded(State())
  /// The beginning of each ping's payload, by which its pong is known again.
  let mark = UInt32.random(in: .min ... .max)

  init(
    _ request: WebSocketRequest, _ options: SocketWebSocketTransport.Options, _ clock: any DriverClock,
    _ inbox: WebSocketInbox
  ) {
    self.request = request
    self.options = options
    self.clock = clock
    self.inbox = inbox
  }

  /// Begins; the task keeps the connection until it is over.
  func start() {
    let task = Task { await run() }
    let isOver = state.withLock { state in
      state.task = task
      return state.phase == .over
    }
    if isOver { task.cancel() }
  }

  // MARK: What the driver wants

  var pingBytes: Int? { 8 }

  func ping(
    _ ordinal: Int, _ completion: @escaping @Sendable (WebSocketPingCompletion) -> Void
  ) {
    let payload = Self.payload(mark, ordinal)
    let isTaken = state.withLock { state in
      guard state.phase == .open else { return false }
      state.pings = max(state.pings, ordinal)
      return state.outbox.add(
        SocketOutbox.Frame(.ping, payload) { isSent in
          if !isSent { completion(.error(.other)) }
        }, most: options.waitingBytes)
    }
    if isTaken { write() } else { completion(.cancelled) }
  }

  func send(_ content: WebSocketContent, _ completion: @escaping @Sendable (Bool) -> Void) {
    let payload: [UInt8]
    switch content {
    case .text(let text): payload = Array(text.utf8)
    case .binary(let bytes): payload = bytes
    }
    let isTaken = state.withLock { state in
      guard state.phase == .open else { return false }
      return state.outbox.add(
        message: payload, isText: content.kind == .text, pieces: options.fragmentBytes,
        most: options.waitingBytes, completion)
    }
    if isTaken { write() } else { completion(false) }
  }

  func close(_ code: WebSocketCloseCode) {
    let phase = state.withLock { state in
      let phase = state.phase
      if phase == .open { sendClose(code.number, &state) }
      return phase
    }
    switch phase {
    case .connecting: cancel()
    case .open:
      write()
      limitClosing()
    case .closing, .over: break
    }
  }

  func cancel() { end(.fin, .out, byForce: true) }

  // MARK: Ends

  /// Puts a close frame behind everything else; nothing follows it.
  func sendClose(_ code: Int?, _ state: inout State) {
    state.hasSentClose = true
    state.phase = .closing
    state.outbox.addClose(code)
  }

  /// Gives the peer so much time to end the stream.
  func limitClosing() {
    let end = clock.now.microseconds.addingReportingOverflow(options.closeTimeout.wholeMicroseconds)
    let instant = end.overflow ? Int.max : end.partialValue
    let task = Task { [clock, weak self] in
      do { try await clock.sleep(until: .init(microseconds: instant)) } catch { return }
      self?.closingTimedOut()
    }
    let isNeeded = state.withLock { state in
      guard state.phase == .closing, state.closing == nil else { return false }
      state.closing = task
      return true
    }
    if !isNeeded { task.cancel() }
  }

  private func closingTimedOut() { end(.timeout, nil, byForce: true) }

  /// Ends everything, once; the end is told unless one was told before, or there was no connection yet.
  func end(_ cause: EndCause, _ direction: Direction?, byForce: Bool) {
    let (old, left) = state.withLock { state in
      defer {
        state.phase = .over
        state.stream = nil
        state.task = nil
        state.closing = nil
      }
      return (state, state.outbox.empty())
    }
    guard old.phase != .over else { return }
    old.closing?.cancel()
    if byForce { old.task?.cancel() }
    old.stream?.close()
    for completion in left { completion(false) }
    if old.phase != .connecting { tellEnd(cause, direction) }
  }

  /// Tells the end, if none was told.
  func tellEnd(_ cause: EndCause, _ direction: Direction?) {
    let isFirst = state.withLock { state in
      defer { state.hasTold = true }
      return !state.hasTold
    }
    if isFirst { inbox.put(.ended(cause, direction)) }
  }

  /// The payload of a ping: the connection's mark, and the ordinal.
  static func payload(_ mark: UInt32, _ ordinal: Int) -> [UInt8] {
    let number = UInt64(mark) << 32 | UInt64(UInt32(truncatingIfNeeded: ordinal))
    return stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The ordinal of the ping that a pong answers; 0 if it answers none.
  func ordinal(of payload: [UInt8]) -> Int {
    guard payload.count == 8 else { return 0 }
    let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let ordinal = Int(number & 0xFFFF_FFFF)
    let pings = state.withLock { $0.pings }
    return number >> 32 == UInt64(mark) && ordinal >= 1 && ordinal <= pings ? ordinal : 0
  }
}
