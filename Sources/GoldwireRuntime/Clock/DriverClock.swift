public import GoldwireTap

/// The clock that a driver reads and waits on.
///
/// It is monotonic and counts the time that the device sleeps, so that a dead connection is known for dead after a wake-up.
public protocol DriverClock: Sendable {
  /// The present instant, rounded down; it never goes back.
  var now: TapInstant { get }

  /// Waits until `instant` has come, and never less; at once if it has passed.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  func sleep(until instant: TapInstant) async throws
}
