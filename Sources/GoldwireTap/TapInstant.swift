#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An instant on the monotonic clock that counts sleep, in whole microseconds, rounded down.
///
/// It comes from ``now`` or from a driver's clock alone: an app cannot make one from a number of its own, so that no
/// number of an app's reaches a trace.
public struct TapInstant: Comparable, Hashable, Sendable {
  /// Microseconds since an arbitrary point, the device's start as a rule.
  package let microseconds: Int

  /// Makes an instant from a clock's reading.
  package init(microseconds: Int) { self.microseconds = microseconds }

  /// The present instant.
  ///
  /// Reads CLOCK_BOOTTIME on Linux, and the continuous clock, CLOCK_MONOTONIC_RAW, on Darwin.
  public static var now: TapInstant {
    #if canImport(Darwin)
      let nanoseconds = clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)
      return TapInstant(microseconds: Int(clamping: nanoseconds / 1_000))
    #else
      var time = timespec()
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return TapInstant(microseconds: Int(time.tv_sec) &* 1_000_000 &+ Int(time.tv_nsec) / 1_000)
    #endif
  }

  /// Orders by time.
  public static func < (left: TapInstant, right: TapInstant) -> Bool {
    left.microseconds < right.microseconds
  }
}
