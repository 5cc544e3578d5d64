/// Notices that the process did not run, and that the wall clock was set, from the recorder's own beat.
///
/// A pause is the longest silence since the last beat in which nothing was recorded either; it is taken for one where
/// it is much longer than the beat, or where the two clocks show that the device slept.
struct PauseWatch {
  /// A pause, which ends at `end`.
  struct Pause: Equatable {
    var length: Int
    var slept: Int
    var end: Int
  }

  /// What a beat may be late without the process having stood still, in microseconds.
  static let slack = 1_000_000
  /// The shortest sleep and the smallest step of the wall clock that are told, in microseconds.
  static let least = 50_000

  private let beat: Int
  /// The last sign of life, and the longest silence since the last beat with its end.
  private var alive: Int
  private var longest = 0
  private var end = 0
  private var suspending: Int
  private var continuous: Int
  /// How far the wall clock is ahead of the continuous one, as far as the trace tells.
  private var ahead: Int

  /// Makes a watch of a recorder that wakes every `beat` microseconds.
  init(beat: Int, _ clocks: TapClocks) {
    self.beat = beat
    alive = clocks.continuous
    continuous = clocks.continuous
    suspending = clocks.suspending
    ahead = clocks.wall &- clocks.continuous
  }

  /// Something was recorded at this instant.
  mutating func sign(at instant: Int) {
    guard instant > alive else { return }
    if instant &- alive > longest { (longest, end) = (instant &- alive, instant) }
    alive = instant
  }

  /// The beat came: gives the pause since the last one, and the step of the wall clock.
  mutating func beat(_ clocks: TapClocks) -> (pause: Pause?, step: Int?) {
    let now = clocks.continuous
    let slept = max(0, (now &- continuous) &- (clocks.suspending &- suspending))
    continuous = now
    suspending = clocks.suspending
    sign(at: now)
    defer { longest = 0 }
    let isPause = longest > beat &+ Self.slack || slept >= Self.least
    let pause =
      isPause && longest > 0
      ? Pause(length: longest, slept: slept < Self.least ? 0 : min(slept, longest), end: end) : nil
    let step = (clocks.wall &- now) &- ahead
    guard abs(step) >= Self.least else { return (pause, nil) }
    ahead = ahead &+ step
    return (pause, step)
  }
}

/// The three clocks at one moment, in microseconds.
package struct TapClocks: Equatable, Sendable {
  /// The monotonic clock that counts sleep.
  package var continuous: Int
  /// The monotonic clock that stands still while the device sleeps.
  package var suspending: Int
  /// The wall clock, since 1970.
  package var wall: Int

  /// Makes a moment of a test's own.
  package init(continuous: Int, suspending: Int, wall: Int) {
    self.continuous = continuous
    self.suspending = suspending
    self.wall = wall
  }

  /// The clocks at the beginning of a recording whose clock of its own stands at `instant`, or the system's.
  static func beginning(at instant: TapInstant?) -> TapClocks {
    var clocks = TapClocks.now
    if let instant { clocks.continuous = instant.microseconds }
    return clocks
  }

  /// The system's clocks now, as far as possible at one moment.
  static var now: TapClocks {
    var best = TapClocks(continuous: 0, suspending: 0, wall: 0)
    var width = Int.max
    // A reading that was interrupted between two clocks would look like a step of one of them.
    for _ in 0..<4 where width > 1_000 {
      let begin = SystemClock.continuous
      let suspending = SystemClock.suspending
      let wall = SystemClock.wall
      let end = SystemClock.continuous
      if end &- begin < width {
        width = end &- begin
        best = TapClocks(continuous: end, suspending: suspending, wall: wall)
      }
    }
    return best
  }
}
