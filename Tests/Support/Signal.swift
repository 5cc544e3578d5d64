import Foundation

/// A mark that a test waits for instead of sleeping; it stays set.
public final class Signal: @unchecked Sendable {
  private let lock = NSLock()
  private var isSet = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// A signal that is not set.
  public init() {}

  /// Sets it: whoever waits goes on, and whoever comes later does not wait.
  public func fire() {
    let waiters = lock.withLock {
      defer { self.waiters = [] }
      isSet = true
      return self.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns once it is set.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isSet = lock.withLock { () -> Bool in
        if !self.isSet { waiters.append(continuation) }
        return self.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}
