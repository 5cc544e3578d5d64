#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An instant on the monotonic clock that counts sleep, in whole microseconds, rounded down.
///
/// It comes from ``now`` or from a driver's clock alone: an app cannot make one from a number of its own, so that no
/// number of an app's reaches a trace.
public struct TapInstant: Comparable, Hashable, Sendable {
  /// Microseconds since an origin that the system chose.
  package let microseconds: Int

  /// Makes an instant of a driver's, or of a test's, own clock.
  package init(microseconds: Int) { self.microseconds = microseconds }

  /// The instant now: `CLOCK_BOOTTIME` on Linux, the continuous clock of Mach on Apple's platforms.
  public static var now: TapInstant { TapInstant(microseconds: SystemClock.continuous) }

  /// The wall clock now, in microseconds since 1970, for what has to begin with a date.
  package static var wall: Int { SystemClock.wall }

  /// Whether the left comes first.
  public static func < (left: TapInstant, right: TapInstant) -> Bool {
    left.microseconds < right.microseconds
  }
}

/// The system's clocks, in microseconds.
enum SystemClock {
  /// A monotonic clock that counts sleep.
  static var continuous: Int {
    #if canImport(Darwin)
      Int(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW) / 1_000)
    #else
      read(CLOCK_BOOTTIME)
    #endif
  }

  /// A monotonic clock that stands still while the device sleeps.
  static var suspending: Int {
    #if canImport(Darwin)
      Int(truncatingIfNeeded: clock_gettime_nsec_np(CLOCK_UPTIME_RAW) / 1_000)
    #else
      read(CLOCK_MONOTONIC)
    #endif
  }

  /// The wall clock, since 1970.
  static var wall: Int { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return Int(time.tv_sec) &* 1_000_000 &+ Int(time.tv_nsec) / 1_000
  }
}
