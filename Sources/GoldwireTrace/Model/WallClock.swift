/// The wall clock of a recording without its date: everything counts from the UTC midnight before t = 0.
package struct WallClock: Equatable, Sendable {
  /// The wall clock at t = 0, in µs since that midnight.
  package let wall: Int
  /// That midnight, in seconds since 1970; it stays in memory.
  private let midnight: Int

  /// The longest way from the receipt that a date may point, in seconds.
  package static let reach = 366 * 86_400

  /// Makes the clock of a recording that began so many µs after 1970.
  package init(beginning epoch: Int) {
    let day = 86_400_000_000
    let rest = epoch % day
    wall = rest < 0 ? rest &+ day : rest
    midnight = epoch.subtractingReportingOverflow(wall).partialValue / 1_000_000
  }

  /// The wall clock at `t`, in µs since 1970.
  package func epoch(at t: Int) -> Int { midnight &* 1_000_000 &+ wall &+ t }

  /// An instant of the calendar in seconds since that midnight, held within ``reach`` of its receipt at `t`.
  package func seconds(of epoch: Int, receivedAt t: Int) -> Int {
    let receipt = wall.addingReportingOverflow(t).partialValue / 1_000_000
    let (seconds, overflow) = epoch.subtractingReportingOverflow(midnight)
    guard !overflow else { return epoch < 0 ? receipt &- WallClock.reach : receipt &+ WallClock.reach }
    return min(max(seconds, receipt &- WallClock.reach), receipt &+ WallClock.reach)
  }
}
