/// Which side of an exchange a decoder reads.
public enum HTTP1Role: Equatable, Sendable {
  /// What the client sends.
  case requests
  /// What the server sends.
  case responses
}
