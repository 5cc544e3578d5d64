internal import GoldwireTap

/// The callbacks that wait for the driver: each with its instant and the connection that it was made for, in order.
final class HeartbeatMailbox: Sendable {
  /// What a callback said.
  enum Content: Sendable {
    case transport(WebSocketTransportEvent)
    case pinged(ordinal: Int, WebSocketPingCompletion)
    case repeatedCompletion
    case sent(Int, isSent: Bool)
    case flooded
  }

  /// One callback.
  struct Letter: Sendable {
    let link: HeartbeatLink
    let instant: TapInstant
    let content: Content
  }

  private struct State {
    var letters: [Letter] = []
    var bytes = 0
    /// The generation whose further callbacks are dropped, since it came to the limit.
    var flooded: Int?
    var isCalled = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let clock: any DriverClock
  private let limits: HeartbeatLimits
  private let state = Guarded(State())

  init(_ clock: any DriverClock, _ limits: HeartbeatLimits) {
    self.clock = clock
    self.limits = limits
  }

  /// Takes a callback; true if the driver must be called.
  func put(_ content: Content, for link: HeartbeatLink) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.flooded != link.generation else { return false }
      var content = content
      let size = content.byteCount
      let isTooMuch = state.bytes > 0 && size > limits.callbackBytes - state.bytes
      if isTooMuch || state.letters.count >= limits.waitingCallbacks {
        state.flooded = link.generation
        content = .flooded
      } else {
        state.bytes += size
      }
      // Within the lock, so that the instants are in the order of the letters.
      state.letters.append(Letter(link: link, instant: clock.now, content: content))
      defer { state.isCalled = true }
      return !state.isCalled
    }
  }

  /// Hands over all that waits.
  func take() -> [Letter] {
    let (letters, waiters) = state.withLock { state in
      defer {
        state.letters = []
        state.bytes = 0
        state.flooded = nil
        state.isCalled = false
        state.waiters = []
      }
      return (state.letters, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return letters
  }

  /// Waits until less than half of the limits is taken.
  func room() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        let isFull =
          state.letters.count >= limits.waitingCallbacks / 2 || state.bytes >= limits.callbackBytes / 2
        if state.isClosed || !isFull { return true }
        state.waiters.append(continuation)
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// Takes no more: the driver is gone.
  func close() {
    state.withLock { $0.isClosed = true }
    _ = take()
  }
}

extension HeartbeatMailbox.Content {
  /// The bytes of a message; 0 for all else.
  var byteCount: Int {
    if case .transport(.message(let content)) = self { content.byteCount } else { 0 }
  }
}
