/// Numbers pseudonyms by first appearance again, after lines before them were left out.
package struct PseudonymRenumbering {
  private var ids: [Channel: [Int: Int]] = [:]
  private var keys: [Channel: [Int: Int]] = [:]

  /// Makes one that has seen nothing.
  package init() {}

  /// The line with its new pseudonyms.
  package mutating func apply(to line: TraceLine) -> TraceLine {
    guard let channel = line.channel else { return line }
    var line = line
    switch line.event {
    case .sseConnect(let cursor):
      line.event = .sseConnect(cursor: cursor.map { number($0, &ids[channel, default: [:]]) })
    case .sseEvent(let n, let id, let rev, let bytes):
      line.event = .sseEvent(
        n: n, id: id.map { number($0, &ids[channel, default: [:]]) }, rev: rev, bytes: bytes)
    case .sseID(let id): line.event = .sseID(id: number(id, &ids[channel, default: [:]]))
    case .sseCommit(let cursor):
      line.event = .sseCommit(cursor: number(cursor, &ids[channel, default: [:]]))
    case .httpSend(var send):
      send.key = send.key.map { number($0, &keys[channel, default: [:]]) }
      line.event = .httpSend(send)
    default: break
    }
    return line
  }

  /// The empty id keeps its 0.
  private func number(_ old: Int, _ table: inout [Int: Int]) -> Int {
    if old == 0 { return 0 }
    if let known = table[old] { return known }
    table[old] = table.count + 1
    return table.count
  }
}
