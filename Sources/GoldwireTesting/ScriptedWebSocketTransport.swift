public import GoldwireLive
public import GoldwireTap

/// A WebSocket transport in memory: a test plays the network and the peer.
///
///     let transport = ScriptedWebSocketTransport(clock: clock)
///     await driver.connect()
///     transport.connections[0].put(.opened(deflate: false))
public final class ScriptedWebSocketTransport: WebSocketTransport {
  private let state = Guarded<[ScriptedWebSocketConnection]>([])
  private let clock: any DriverClock
  private let script: @Sendable (ScriptedWebSocketConnection) -> Void

  /// Makes a transport; `script` is called for each new connection, before it is handed over.
  public init(
    clock: any DriverClock, script: @escaping @Sendable (ScriptedWebSocketConnection) -> Void = { _ in }
  ) {
    self.clock = clock
    self.script = script
  }

  /// The connections in the order in which they were asked for; the first is generation 1 of its driver.
  public var connections: [ScriptedWebSocketConnection] { state.withLock { $0 } }

  /// Makes a connection that does nothing by itself.
  public func connect(_ inbox: WebSocketInbox) -> any WebSocketConnection {
    let connection = ScriptedWebSocketConnection(inbox, clock)
    state.withLock { $0.append(connection) }
    script(connection)
    return connection
  }

  /// All that was asked of the connections, by instant; of one instant by connection.
  public var asked: [ScriptedWebSocketConnection.Asked] {
    connections.enumerated()
      .flatMap { index, connection in
        connection.asked.map { asked in
          var asked = asked
          asked.connection = index + 1
          return asked
        }
      }
      .sorted { $0.instant < $1.instant }
  }
}

/// One connection in memory.
public final class ScriptedWebSocketConnection: WebSocketConnection {
  /// Something that was asked of a connection.
  public struct Asked: Equatable, Sendable {
    /// What was asked.
    public enum Wish: Equatable, Sendable {
      /// A ping with this ordinal.
      case ping(Int)
      /// A message.
      case send(WebSocketContent)
      /// A close with this code.
      case close(Int)
      /// The end at once.
      case cancel
    }

    /// When.
    public var instant: TapInstant
    /// Of which connection, counted from 1.
    public var connection: Int
    /// What.
    public var wish: Wish

    /// Makes one, for comparison.
    public init(_ instant: TapInstant, _ connection: Int, _ wish: Wish) {
      self.instant = instant
      self.connection = connection
      self.wish = wish
    }
  }

  private struct State {
    var asked: [Asked] = []
    var pings: [Int: @Sendable (WebSocketPingCompletion) -> Void] = [:]
    var sends: [@Sendable (Bool) -> Void] = []
    var acceptsSends = true
    var waiters: [(sends: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var sent: Int { asked.count { if case .send = $0.wish { true } else { false } } }
  }

  private let inbox: WebSocketInbox
  private let clock: any DriverClock
  private let state = Guarded(State())

  init(_ inbox: WebSocketInbox, _ clock: any DriverClock) {
    self.inbox = inbox
    self.clock = clock
  }

  /// Lets something happen on the connection: now, late, twice, in any order.
  public func put(_ event: WebSocketTransportEvent) { inbox.put(event) }

  /// Calls the completion of a ping; as often as it is called.
  public func complete(_ ordinal: Int, _ completion: WebSocketPingCompletion) {
    state.withLock { $0.pings[ordinal] }?(completion)
  }

  /// Waits until the driver has room, as a transport does before it reads on.
  public func room() async { await inbox.room() }

  /// What was asked of it, in order.
  public var asked: [Asked] { state.withLock { $0.asked } }

  /// Waits until so many messages have been asked to be sent.
  public func asked(sends: Int) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.sent >= sends { return true }
        state.waiters.append((sends, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Whether sends are completed at once; else ``completeSends(_:)`` does it.
  public var acceptsSends: Bool {
    get { state.withLock { $0.acceptsSends } }
    set { state.withLock { $0.acceptsSends = newValue } }
  }

  /// Completes all sends that wait; they are kept, so that a second call completes them again.
  public func completeSends(_ isSent: Bool) {
    for completion in state.withLock({ $0.sends }) { completion(isSent) }
  }

  /// Remembers a ping.
  public func ping(
    _ ordinal: Int, _ completion: @escaping @Sendable (WebSocketPingCompletion) -> Void
  ) {
    note(.ping(ordinal)) { $0.pings[ordinal] = completion }
  }

  /// Remembers a message.
  public func send(_ content: WebSocketContent, _ completion: @escaping @Sendable (Bool) -> Void) {
    let isDone = note(.send(content)) { state in
      if state.acceptsSends { return true }
      state.sends.append(completion)
      return false
    }
    if isDone { completion(true) }
  }

  /// Remembers a close.
  public func close(_ code: WebSocketCloseCode) { note(.close(code.number)) { _ in } }

  /// Remembers a cancellation.
  public func cancel() { note(.cancel) { _ in } }

  private func note<Result>(_ wish: Asked.Wish, _ body: (inout State) -> Result) -> Result {
    let instant = clock.now
    let (result, met) = state.withLock { state -> (Result, [CheckedContinuation<Void, Never>]) in
      state.asked.append(Asked(instant, 0, wish))
      let sent = state.sent
      let met = state.waiters.filter { $0.sends <= sent }.map(\.continuation)
      state.waiters.removeAll { $0.sends <= sent }
      return (body(&state), met)
    }
    for waiter in met { waiter.resume() }
    return result
  }
}
