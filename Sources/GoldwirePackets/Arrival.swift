/// What a segment did to its connection.
///
/// The order for the caller: drain `ended` where there is one (`finish`, then `pull`), deliver the
/// `count` bytes that begin `skip` bytes into the segment's payload, then `pull` while `isPending`.
public struct Arrival: Equatable, Sendable {
  /// The connection's index, or nil if the segment belongs to none and begins none.
  public var connection: Int?
  /// The side that sent the segment.
  public var sender: Side
  /// Whether the connection begins with this segment; its index may have belonged to an older one.
  public var isNew: Bool
  /// Another connection that this one displaced: its ports were used again, or the table was full.
  public var ended: Int?
  /// Where the bytes that come next in the stream begin within the segment's payload.
  public var skip: Int
  /// How many bytes come next in the stream, to be read from the packet itself.
  public var count: Int
  /// Whether more is ready to be pulled.
  public var isPending: Bool
  /// Whether bytes that were already there came again with another value; the first copy counts.
  public var isConflict: Bool

  /// Makes an arrival.
  public init(
    connection: Int? = nil, sender: Side, isNew: Bool = false, ended: Int? = nil, skip: Int = 0,
    count: Int = 0, isPending: Bool = false, isConflict: Bool = false
  ) {
    self.connection = connection
    self.sender = sender
    self.isNew = isNew
    self.ended = ended
    self.skip = skip
    self.count = count
    self.isPending = isPending
    self.isConflict = isConflict
  }
}
