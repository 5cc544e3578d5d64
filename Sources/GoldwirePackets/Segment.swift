/// A TCP segment: its numbers, and where its payload lies in the bytes that were decoded.
public struct Segment: Equatable, Sendable {
  /// The connection's endpoints.
  public var key: FlowKey
  /// The side that sent it.
  public var sender: Side
  /// The control bits.
  public var flags: TCPFlags
  /// The window as it stands in the header, not scaled.
  public var window: UInt16
  /// The window scale of a SYN's options (RFC 7323), else 0.
  public var windowScale: UInt8
  /// The sequence number.
  public var sequence: UInt32
  /// The acknowledgment number; it counts only with the ACK bit.
  public var acknowledgment: UInt32
  /// Where the payload begins.
  public var start: Int
  /// How many payload bytes were captured.
  public var count: Int
  /// How many payload bytes the segment had; more than `count` where the capture cut the packet.
  public var length: Int

  /// The captured payload's place in the bytes that were decoded.
  public var range: Range<Int> { start..<(start &+ count) }

  /// Makes a segment.
  @inlinable
  public init(
    key: FlowKey, sender: Side, flags: TCPFlags, window: UInt16 = 65_535, windowScale: UInt8 = 0,
    sequence: UInt32, acknowledgment: UInt32 = 0, start: Int = 0, count: Int = 0, length: Int = 0
  ) {
    self.key = key
    self.sender = sender
    self.flags = flags
    self.window = window
    self.windowScale = windowScale
    self.sequence = sequence
    self.acknowledgment = acknowledgment
    self.start = start
    self.count = count
    self.length = length
  }
}
