import GoldwireReport
import GoldwireTrace

/// The line that tells on a terminal how far a recording is, once a second at most.
struct RecordProgress {
  private var last: Int?
  private var isShown = false

  /// What to write now, at an instant in µs; nil where it is too early.
  mutating func text(_ counts: Counts, events: Int, width: Int, at now: Int) -> String? {
    guard let last else {
      self.last = now
      return nil
    }
    // A clock that was set back begins anew.
    guard now < last || now &- last >= 1_000_000 else { return nil }
    self.last = now
    isShown = true
    let parts = [
      Quantity.count(counts.packets, "packet"), Quantity.count(counts.connections, "connection"),
      Quantity.count(events, "event"), "\(counts.dropped) dropped",
    ]
    return RecordProgress.erasure + parts.joined(separator: ", ").prefix(max(1, width - 1))
  }

  /// What to write before anything else is said, so that the line does not stand in its way.
  mutating func clear() -> String? {
    defer { isShown = false }
    return isShown ? RecordProgress.erasure : nil
  }

  private static let erasure = "\r\u{1B}[K"
}
