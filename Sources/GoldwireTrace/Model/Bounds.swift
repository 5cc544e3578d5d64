/// The ranges of the whole numbers in an event; see TRACE's tables.
enum Bounds {
  /// A count, a size, an instant, a length of time.
  static let whole = 0...TraceLimits.number
  /// Most of the sums in `rec.end`.
  static let sum = 0...4_294_967_295
  /// A number that starts from 1.
  static let ordinal = 1...TraceLimits.number
  /// A number with a sign.
  static let signed = -TraceLimits.number...TraceLimits.number
  /// A status of HTTP.
  static let status = 100...599
  /// A close code of WebSocket.
  static let code = 1_000...4_999
  /// A random unit in millionths.
  static let millionths = 0...1_000_000
  /// What Retry-After and `retry` may say.
  static let int31 = 0...2_147_483_647
}

extension RuleName {
  /// The parts of the section up to the last that is not zero; the first always.
  var parts: [UInt8] {
    var parts = [section.0, section.1, section.2, section.3]
    while parts.count > 1, parts.last == 0 { parts.removeLast() }
    return parts
  }
}

extension Counts {
  /// The sums that are left out where they are zero, with their keys in order.
  var others: [(EventKey, Int)] {
    [
      (.countIgnored, ignored), (.countNotIP, notIP), (.countNotTCP, notTCP), (.countCut, cut),
      (.countDamaged, damaged), (.countBadFragment, badFragment), (.countCiphered, ciphered),
      (.countNested, nested), (.countLinkType, linkType), (.countDatagrams, datagrams),
      (.countConnections, connections), (.countGaps, gaps),
      (.countOpaque, opaque), (.countUndecodable, undecodable), (.countDropped, dropped),
    ]
  }
}
