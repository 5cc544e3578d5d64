/// Who sends the frames of a direction.
public enum WebSocketPeer: Equatable, Sendable {
  /// The client, whose frames are masked.
  case client
  /// The server, whose frames are not.
  case server
  /// Not known; masking is not judged.
  case unknown
}
