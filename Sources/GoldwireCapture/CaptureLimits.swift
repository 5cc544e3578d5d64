/// The limits of a recording's memory; crossing one is told in the trace and never a crash.
public struct CaptureLimits: Equatable, Sendable {
  /// The most channels of all families; connections beyond them are not written.
  public var channels = 65_536
  /// The most channels of connections that were refused, so that a scan of ports leaves room for what is said.
  public var refusedChannels = 4_096
  /// The most bytes of unfinished messages that all HTTP connections hold, each waiting request counted as 256.
  public var httpBytesInAll = 1 << 27
  /// The most failed requests of one channel that wait for their next try.
  public var failures = 64
  /// The most event ids of one channel that keep their pseudonym.
  public var eventIDs = 65_536
  /// The most event ids of all channels together that keep their pseudonym.
  public var eventIDsInAll = 1_048_576
  /// The most contents of one event id that are told apart; further ones count as one more.
  public var revisions = 256
  /// The most contents after the first of all event ids together that are told apart.
  public var revisionsInAll = 1_048_576
  /// The most idempotency keys of one channel that keep their pseudonym.
  public var keys = 4_096
  /// The most idempotency keys of all channels together that keep their pseudonym.
  public var keysInAll = 262_144
  /// The most pings of one direction that a pong is looked for among.
  public var pings = 256
  /// The most lines that are held back to put later knowledge at its instant.
  public var heldLines = 65_536
  /// The most live channels of one key that are looked at for one that fell silent.
  public var silentChannels = 64
  /// The most connection attempts without an answer that are remembered.
  public var attempts = 4_096
  /// The most content codings of one body that are undone.
  public var codings = 4
  /// The most decompressors at work at one time; one of Zstandard counts as 32, one of Brotli as 64.
  public var inflaters = 1_024
  /// The most bytes that one decompressor gives for each byte put in, beyond ``inflateAllowance``.
  public var inflateRatio = 256
  /// The bytes that each decompressor may give whatever was put in.
  public var inflateAllowance = 1 << 20
  /// The most items of a compressed event stream for each byte of its body, beyond ``streamItemAllowance``.
  public var streamItemRatio = 1
  /// The items that each compressed event stream may have whatever its size.
  public var streamItemAllowance = 4_096
  /// The most bytes of a message that are looked at for an application-level heartbeat.
  public var beatBytes = 512

  /// Makes the limits that the command uses.
  public init() {}
}
