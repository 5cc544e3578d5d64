/// The payloads of one way's latest pings, for the numbers of their pongs.
struct PingMemory: Sendable {
  private var count = 0
  private var recent: [[UInt8]] = []

  /// Remembers a ping; gives its number, from 1.
  mutating func add(_ payload: [UInt8]) -> Int {
    count += 1
    if recent.count >= ServerLimits.pings { recent.removeFirst() }
    recent.append(payload)
    return count
  }

  /// The number of the latest ping with that payload; 0 for none.
  func number(of payload: [UInt8]) -> Int {
    recent.lastIndex(of: payload).map { count - recent.count + $0 + 1 } ?? 0
  }
}
