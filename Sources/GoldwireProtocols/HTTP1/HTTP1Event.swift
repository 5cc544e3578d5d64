/// What an HTTP/1 decoder found next.
///
/// Each message is a head, the rules it broke, and, where ``HTTP1Head/framing`` promises a body, body pieces and an end.
public enum HTTP1Event: Equatable, Sendable {
  /// A head is complete; its facts are in the decoder's `head`, its bytes in `withHead`.
  case head
  /// Body bytes, freed of chunking but not of content codings, as indices of the span that was passed.
  case body(Range<Int>)
  /// The first body bytes, so many, which were held back and are in `held`.
  case heldBody(Int)
  /// The body is over.
  case end(HTTP1End)
  /// A rule was broken; where the head could be read, its event came before.
  case broken(ProtocolRule)
  /// From the current offset on the direction speaks another protocol; bytes held back before it are in `held`.
  case switched(HTTP1Successor)
  /// After a gap or garbage a start was found again; a head follows.
  case resumed(skipped: Int)
  /// A limit was hit; what it covered was let go.
  case limit(HTTP1Limits.Name)
}
