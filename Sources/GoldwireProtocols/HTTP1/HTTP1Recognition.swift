/// What the first bytes of a direction say about the protocol.
public enum HTTP1Recognition: Equatable, Sendable {
  /// A request starts here.
  case request
  /// A response starts here.
  case response
  /// The preface of HTTP/2 starts here.
  case http2
  /// Neither.
  case neither
  /// More bytes are needed.
  case undecided

  /// Judges bytes by what they say; leading line ends are skipped.
  public static func judge(_ bytes: Span<UInt8>) -> HTTP1Recognition { .undecided }
}
