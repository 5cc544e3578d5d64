/// One of the two ends of a connection, in the order of its flow key.
public enum Side: UInt8, Equatable, Hashable, Sendable {
  /// The end whose address (then port) is the lower one.
  case first
  /// The other end.
  case second

  /// The opposite end.
  @inlinable
  public var other: Side { self == .first ? .second : .first }
}
