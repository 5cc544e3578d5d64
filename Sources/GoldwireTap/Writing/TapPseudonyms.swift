internal import GoldwireTrace

/// Numbers pseudonyms by first appearance in each channel of the trace, whatever the tap's own numbers are.
///
/// Bounded: beyond ``most`` in one channel the oldest are forgotten, and one that comes back has a new number.
struct TapPseudonyms {
  /// The most ids, and the most keys, that are known of one channel.
  static let most = 65_536

  private struct Table {
    private var numbers: [Int: Int] = [:]
    private var order: [Int] = []
    private var count = 0

    mutating func number(_ own: Int) -> Int {
      if own == 0 { return 0 }
      if let known = numbers[own] { return known }
      let slot = count % TapPseudonyms.most
      if slot < order.count {
        numbers[order[slot]] = nil
        order[slot] = own
      } else {
        order.append(own)
      }
      count += 1
      numbers[own] = count
      return count
    }
  }

  private var ids: [Channel: Table] = [:]
  private var keys: [Channel: Table] = [:]

  /// The line with the numbers of the trace.
  mutating func apply(to line: TraceLine) -> TraceLine {
    guard let channel = line.channel else { return line }
    var line = line
    switch line.event {
    case .sseConnect(let cursor?):
      line.event = .sseConnect(cursor: ids[channel, default: Table()].number(cursor))
    case .sseEvent(let n, let id?, let rev, let bytes):
      line.event = .sseEvent(n: n, id: ids[channel, default: Table()].number(id), rev: rev, bytes: bytes)
    case .sseID(let id): line.event = .sseID(id: ids[channel, default: Table()].number(id))
    case .sseCommit(let cursor):
      line.event = .sseCommit(cursor: ids[channel, default: Table()].number(cursor))
    case .httpSend(var send):
      guard let key = send.key else { return line }
      send.key = keys[channel, default: Table()].number(key)
      line.event = .httpSend(send)
    default: break
    }
    return line
  }
}
