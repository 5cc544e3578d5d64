/// The limits of this module: everything that buffers or counts has one here.
///
/// What reaches a limit is reported as damage (a gap, a refusal, a count), never as a trap.
public struct PacketLimits: Equatable, Sendable {
  /// The longest packet that a capture file may hold, in bytes.
  public var packetBytes: Int = 262_144
  /// The longest capture block that has to lie in memory as a whole, in bytes; skipped ones have no limit.
  public var blockBytes: Int = 1_048_576
  /// The most interfaces in one section of a pcapng file.
  public var interfaces: Int = 4_096

  /// The most stacked link tags (VLAN) before an IP packet.
  public var linkTags: Int = 8
  /// The most tunnels in each other around a TCP header.
  public var tunnels: Int = 4
  /// The most IPv6 extension headers before a TCP header.
  public var extensionHeaders: Int = 8

  /// The most IP datagrams that are put together from fragments at one time.
  public var datagrams: Int = 64
  /// The most fragments that are kept for one datagram.
  public var fragments: Int = 128
  /// How long fragments wait for the rest of their datagram, in microseconds.
  public var fragmentWait: Int = 30_000_000

  /// The most TCP connections that are followed at one time.
  public var connections: Int = 65_536
  /// The most closed connections that are remembered, so that their stragglers are known.
  public var closedConnections: Int = 4_096
  /// How long a closed connection is remembered, in microseconds.
  public var closedWait: Int = 60_000_000

  /// The most bytes held beyond a hole, for one direction of one connection; each segment counts 64 more.
  public var heldBytes: Int = 4_194_304
  /// The most segments held beyond a hole, for one direction of one connection.
  public var heldSegments: Int = 4_096
  /// The most bytes held beyond holes in all connections together.
  public var heldBytesInAll: Int = 33_554_432
  /// After how many further packets a hole that was acknowledged out of order is given up.
  public var holePackets: Int = 32
  /// After how long a hole that was acknowledged out of order is given up, in microseconds.
  public var holeWait: Int = 100_000
  /// After how long a hole is given up when the other direction is not in the capture, in microseconds.
  public var silentHoleWait: Int = 2_000_000
  /// How far from the expected number a segment may lie to belong to the stream, in bytes.
  public var sequenceWindow: Int = 1_073_741_824
  /// After how many segments in a row that lie outside the stream it is taken up anew at their place.
  public var straySegments: Int = 8

  /// Makes the default limits.
  public init() {}
}
