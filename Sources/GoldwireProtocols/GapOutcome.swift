/// What a decoder does about bytes that the recording misses.
public enum GapOutcome: Equatable, Sendable {
  /// The gap lies inside a body or payload of known length: it is counted over, and decoding goes on in step.
  case counted
  /// The place is lost: bytes are skipped until a start is found again.
  case resynchronising
  /// Nothing is decoded in this direction any more.
  case ignored
}
