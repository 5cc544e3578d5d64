/// The latest pings of one direction, with their ordinals.
struct PingList {
  private var hashes: [UInt64] = []
  private var first = 1
  private var count = 0

  /// Adds a ping and gives its ordinal.
  mutating func add(_ hash: UInt64, limit: Int) -> Int {
    if hashes.count >= max(1, limit) {
      let dropped = hashes.count / 2 &+ 1
      hashes.removeFirst(min(dropped, hashes.count))
      first = count &- hashes.count &+ 1
    }
    hashes.append(hash)
    count &+= 1
    return count
  }

  /// The ordinal of the latest ping with this hash; 0 for none, nil if it may be one that was forgotten.
  func latest(_ hash: UInt64) -> Int? {
    guard let index = hashes.lastIndex(of: hash) else { return first > 1 ? nil : 0 }
    return first &+ index
  }
}
