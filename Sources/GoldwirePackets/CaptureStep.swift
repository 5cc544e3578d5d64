/// What a capture reader found next.
public enum CaptureStep: Equatable, Sendable {
  /// A packet.
  case packet(CapturedPacket)
  /// Secrets to decrypt TLS with.
  case secrets(CaptureSecrets)
  /// So many more packets than known before were dropped by the kernel or the interface.
  case drops(Int)
  /// Nothing more can be read before at least so many bytes lie at the position.
  case more(Int)
}
