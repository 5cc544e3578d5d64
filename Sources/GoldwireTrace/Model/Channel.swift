/// A logical conversation of the client: one WebSocket session, HTTP origin or event stream, over its reconnections.
///
/// Channels are numbered by family as first seen: `ws1`, `http1`, `sse1`.
public struct Channel: Hashable, Sendable {
  /// What a channel carries.
  public enum Family: String, CaseIterable, Sendable {
    case ws, http, sse, tls, tcp
  }

  /// The channel's number in its family, from 1.
  public var number: Int
  /// What the channel carries.
  public var family: Family

  /// Makes the name of a channel.
  public init(_ family: Family, _ number: Int) {
    self.family = family
    self.number = number
  }
}

extension Channel: CustomStringConvertible {
  /// The name as a trace spells it: `ws1`.
  public var description: String { family.rawValue + String(number) }
}

extension Channel: Comparable {
  /// Orders channels by family in the order of the vocabulary, then by number.
  public static func < (left: Channel, right: Channel) -> Bool {
    left.family == right.family
      ? left.number < right.number : left.family.rank < right.family.rank
  }
}

extension Channel.Family {
  fileprivate var rank: Int {
    switch self {
    case .ws: 0
    case .http: 1
    case .sse: 2
    case .tls: 3
    case .tcp: 4
    }
  }
}
