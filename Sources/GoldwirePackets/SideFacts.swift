/// What is known of one direction of a connection.
public struct SideFacts: Equatable, Sendable {
  /// Whether this side sent a SYN without ACK, which makes it the client.
  public var sentSyn: Bool = false
  /// Whether this side answered a SYN with SYN and ACK.
  public var acceptedSyn: Bool = false
  /// How this side's stream ended, if it did.
  public var end: End = .open
  /// How many bytes of this side were delivered.
  public var deliveredBytes: Int = 0
  /// Whether the other side has acknowledged all that this side was seen to send.
  public var isAllAcknowledged: Bool = true
  /// When this side last sent a segment of any kind, or nil.
  public var lastSegment: Int?
  /// When this side last sent bytes that were new, or nil.
  public var lastNewByte: Int?
  /// When the other side's acknowledgment of this side's bytes last advanced, or nil.
  public var lastProgress: Int?
  /// How many bytes the other side acknowledged that were not seen (yet), 1 perhaps for an unseen FIN.
  public var unseenBytes: Int = 0
  /// How many bytes this side was seen to send that the other side has not acknowledged (yet).
  public var unacknowledgedBytes: Int = 0
  /// Whether bytes of this side are held beyond a hole.
  public var hasHole: Bool = false

  /// Makes the facts of a side of which nothing is known.
  public init() {}

  /// How a side's stream ends.
  public enum End: UInt8, Equatable, Sendable {
    /// It has not ended.
    case open
    /// The side sent a FIN, and all before it was seen or given up.
    case fin
    /// The side aborted the connection.
    case reset
    /// The other side aborted or refused the connection.
    case aborted
    /// This side refused the connection.
    case refused
  }
}
