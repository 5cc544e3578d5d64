internal import GoldwireBytes

/// All TCP connections of a capture: which connection a segment belongs to, and what its streams say next.
///
/// For each segment call `accept`, deliver what the arrival says from the packet's own bytes, then `pull`
/// while more is pending. At the end of the capture call `finish` for each index and pull again.
public struct ConnectionTable: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits

  /// Makes an empty table; `seed` keys the hash and changes nothing that can be seen from outside.
  public init(seed: UInt64, limits: PacketLimits = PacketLimits()) {
    self.limits = limits
  }

  /// The indices that connections had so far; a connection is at each, alive or closed.
  public var indices: Range<Int> { 0..<0 }

  /// How many connections were followed so far.
  public var opened: Int { 0 }

  /// Takes a segment whose payload lies in `bytes`; `time` must never go down.
  public mutating func accept(_ segment: Segment, in bytes: Span<UInt8>, at time: Int) -> Arrival {
    Arrival(sender: segment.sender)
  }

  /// Takes a report that the quoted segment could not be delivered.
  public mutating func unreachable(_ quoted: Segment, at time: Int) -> Arrival {
    Arrival(sender: quoted.sender)
  }

  /// The next piece of a connection's streams, or nil; held bytes are swapped into `buffer`.
  public mutating func pull(_ connection: Int, into buffer: inout [UInt8]) -> StreamPiece? { nil }

  /// Ends a connection for the capture's part: all that is held comes out, holes as gaps.
  public mutating func finish(_ connection: Int) {}

  /// The endpoints of a connection.
  public func key(of connection: Int) -> FlowKey? { nil }

  /// What is known of one direction.
  public func facts(of connection: Int, _ side: Side) -> SideFacts { SideFacts() }
}
