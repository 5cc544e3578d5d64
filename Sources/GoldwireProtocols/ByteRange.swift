/// A place in a message's head, counted from the head's first byte.
///
/// Half the size of a `Range<Int>`, with a value for "not there", so that a head's facts stay a small trivial struct.
public struct ByteRange: Equatable, Sendable {
  /// The offset of the first byte; meaningless when absent.
  public let start: UInt32
  /// The number of bytes; 0 for a value that is there but empty.
  public let count: UInt32

  /// The range of something that is not there.
  public static let absent: ByteRange = ByteRange(start: .max, count: 0)

  /// Whether there is something, be it empty.
  public var isPresent: Bool { start != .max }

  /// The range as indices of the head's span; empty when absent.
  public var bounds: Range<Int> {
    isPresent ? Int(start)..<(Int(start) &+ Int(count)) : 0..<0
  }

  init(_ bounds: Range<Int>) {
    self.init(start: UInt32(clamping: bounds.lowerBound), count: UInt32(clamping: bounds.count))
  }

  private init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }
}
