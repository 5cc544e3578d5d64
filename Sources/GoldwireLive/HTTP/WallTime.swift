public import Foundation

/// The local wall clock, which is read only to turn a date of a header into a span.
public struct WallTime: Sendable {
  /// Microseconds since 1970.
  package let now: @Sendable () -> Int

  /// Makes a clock of a function that gives the date.
  public init(_ date: @escaping @Sendable () -> Date) {
    now = { Int((date().timeIntervalSince1970 * 1_000_000).rounded(.down)) }
  }

  /// The device's own.
  public static let system = WallTime { Date() }
}
