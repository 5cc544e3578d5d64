import GoldwireTrace

/// When one direction of a generation last showed life, and which line says so.
///
/// A sign is written at most once a second; the last one before a second of silence stays written, since a
/// recording must tell how long a silence was.
struct Life {
  static let second = 1_000_000
  private var latest = Int.min / 2
  private var written = Int.min / 2
  private var tentative: LineQueue.Ticket = -1

  /// An event's own line shows life at `now`.
  mutating func mark(at now: Int, in lines: inout LineQueue) {
    settle(at: now, in: &lines)
    latest = now
    written = now
  }

  /// A sign of life that no event shows; `line` says it, and stays where it says more than life.
  mutating func show(_ line: TraceLine, isKept: Bool = false, in lines: inout LineQueue) {
    settle(at: line.t, in: &lines)
    latest = line.t
    let ticket = lines.append(line)
    if isKept || line.t &- written >= Life.second { written = line.t } else { tentative = ticket }
  }

  /// Withdraws the line that was written in case silence followed, if none did.
  private mutating func settle(at now: Int, in lines: inout LineQueue) {
    guard tentative >= 0 else { return }
    if now &- latest < Life.second { lines.withdraw(tentative) } else { written = latest }
    tentative = -1
  }
}
