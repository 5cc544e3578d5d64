/// How the end of a message's body is found (RFC 9112 section 6.3).
public enum HTTP1Framing: Equatable, Sendable {
  /// There is no body, and no end event follows.
  case none
  /// A body of so many bytes.
  case length(Int)
  /// A body in chunks.
  case chunked
  /// A body up to the end of the connection.
  case untilClose
  /// The length cannot be told; the direction is not decoded further, and a response's body ends broken.
  case broken
}
