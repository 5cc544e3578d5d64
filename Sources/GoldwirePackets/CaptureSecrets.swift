/// A block of decryption secrets in a pcapng file: where its bytes lie.
public struct CaptureSecrets: Equatable, Sendable {
  /// The kind of secrets; a TLS key log is `tlsKeyLog`.
  public var kind: UInt32
  /// Where the secrets begin in the span that was given to the reader.
  public var start: Int
  /// How many bytes they are.
  public var count: Int

  /// The kind of a TLS key log in the `SSLKEYLOGFILE` format.
  public static let tlsKeyLog: UInt32 = 0x544C_534B

  /// The secrets' bytes in the span that was given to the reader.
  public var range: Range<Int> { start..<(start &+ count) }

  /// Makes a description of secrets.
  public init(kind: UInt32, start: Int, count: Int) {
    self.kind = kind
    self.start = start
    self.count = count
  }
}
