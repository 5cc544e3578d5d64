/// One packet of a capture file: where its bytes lie, never the bytes themselves.
public struct CapturedPacket: Equatable, Sendable {
  /// When it was captured, in microseconds since 1970, rounded down.
  ///
  /// Where the file has no time for it (simple packets) it is the previous packet's.
  public var time: Int
  /// How its first bytes are to be read.
  public var link: LinkType
  /// Where its bytes begin in the span that was given to the reader.
  public var start: Int
  /// How many bytes were captured.
  public var count: Int
  /// How many bytes the packet had; more than `count` where the capture cut it.
  public var originalCount: Int
  /// The number of its interface in its section, from 0.
  public var interface: Int
  /// How many packets the file says were dropped between the previous packet and this one.
  public var drops: Int

  /// The resolution of its instant in microseconds, where that is coarser than 1.
  public var grain: Int

  /// Whether the file has its instant.
  public var isTimed: Bool

  /// The packet's bytes in the span that was given to the reader.
  public var range: Range<Int> { start..<(start &+ count) }

  /// Makes a packet.
  public init(
    time: Int, link: LinkType, start: Int, count: Int, originalCount: Int, interface: Int = 0,
    drops: Int = 0, grain: Int = 1, isTimed: Bool = true
  ) {
    self.time = time
    self.link = link
    self.start = start
    self.count = count
    self.originalCount = originalCount
    self.interface = interface
    self.drops = drops
    self.grain = grain
    self.isTimed = isTimed
  }
}
