public import GoldwireTap

/// The device's own clock.
public struct ContinuousDriverClock: DriverClock {
  /// The longest single wait in microseconds, a day; a longer one is made of several.
  static let waitMicroseconds: Int = 86_400_000_000

  /// Makes the clock; all of them read the same.
  public init() {}

  /// The present instant.
  public var now: TapInstant { .now }

  /// Waits until `instant` has come.
  ///
  /// The system's timer counts from another origin and may fire a moment early, so that the clock has the last word.
  /// Throws `CancellationError` when the task is cancelled.
  public func sleep(until instant: TapInstant) async throws {
    while true {
      try Task.checkCancellation()
      let now = now
      guard now < instant else { return }
      let (rest, overflow) = instant.microseconds.subtractingReportingOverflow(now.microseconds)
      let wait = overflow ? Self.waitMicroseconds : min(rest, Self.waitMicroseconds)
      try await Task.sleep(for: .microseconds(wait), tolerance: .zero, clock: .continuous)
    }
  }
}
