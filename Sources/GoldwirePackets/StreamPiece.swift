/// What comes next in a connection, beside the bytes of the packet in hand.
public enum StreamPiece: Equatable, Sendable {
  /// Bytes that had been held beyond a hole; they are in the buffer that was given to `pull`.
  case bytes(Side)
  /// Bytes that this side sent are missing; 0 if their number is unknown.
  case gap(Side, bytes: Int, GapCause)
  /// The side has ended its stream; nothing of it follows.
  case fin(Side)
  /// The side has aborted the connection; nothing follows.
  case reset(Side)
  /// The connection was refused by the side that should have accepted it, or could not be reached.
  case refused(Side, unreachable: Bool)

  /// Why bytes are missing.
  public enum GapCause: UInt8, Equatable, Sendable {
    /// The capture does not have them.
    case lost
    /// The capture cut the packet short.
    case snaplen
    /// Too much was waiting behind the hole.
    case limit
  }
}
