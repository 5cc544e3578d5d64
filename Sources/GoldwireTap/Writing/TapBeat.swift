internal import Dispatch

/// Wakes the reader of a tap's ring: regularly, and when the ring fills.
final class TapBeat: Sendable {
  /// How often, in microseconds.
  static let interval = 250_000

  private struct Sources {
    var timer: (any DispatchSourceTimer)?
    var call: (any DispatchSourceUserDataAdd)?
  }

  private let sources = Guarded(Sources())

  /// When the reader is woken.
  enum Kind {
    /// Regularly, and when the ring fills.
    case regular
    /// When the ring fills.
    case onCall
    /// Never: a test does what it would do.
    case none
  }

  /// Begins to wake `keeper`.
  func start(_ keeper: TapKeeper, _ kind: Kind) {
    sources.withLock { sources in
      let queue = DispatchQueue(label: "goldwire.tap", qos: .utility)
      if kind == .regular {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(
          deadline: .now() + .microseconds(Self.interval), repeating: .microseconds(Self.interval),
          leeway: .milliseconds(50))
        timer.setEventHandler { keeper.beat(.now) }
        timer.activate()
        sources.timer = timer
      }
      let call = DispatchSource.makeUserDataAddSource(queue: queue)
      call.setEventHandler { keeper.drain(at: nil) }
      call.activate()
      sources.call = call
    }
  }

  /// Wakes the reader now; does nothing where that would have to wait.
  func wake() {
    _ = sources.withLockIfAvailable { $0.call?.add(data: 1) }
  }

  /// Ends it.
  func stop() {
    sources.withLock {
      $0.timer?.cancel()
      $0.call?.cancel()
      $0 = Sources()
    }
  }
}
