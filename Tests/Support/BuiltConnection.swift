/// One TCP connection of a test capture: its hosts, and the numbers counted from the bytes sent.
public struct BuiltConnection: Sendable {
  /// One of the two ends.
  public enum Side: Int, Sendable, CaseIterable {
    /// The end that sends the SYN.
    case client
    /// The end that answers it.
    case server

    /// The opposite end.
    public var other: Side { self == .client ? .server : .client }
  }

  /// The hosts, the client first.
  public var hosts: [BuiltHost]
  /// The initial sequence numbers, the client's first.
  public var initial: [UInt32]
  /// The next sequence numbers.
  public var next: [UInt32]
  /// What each side has acknowledged of the other, as it stands in its own segments.
  public var acknowledged: [UInt32]

  /// Makes a connection before its first packet.
  public init(client: BuiltHost, server: BuiltHost, initial: [UInt32]) {
    hosts = [client, server]
    self.initial = initial
    next = initial
    acknowledged = [0, 0]
  }

  /// A segment from one side at its next sequence number, with its acknowledgment.
  public func segment(_ side: Side, flags: UInt8 = 16, _ payload: [UInt8] = []) -> BuiltSegment {
    var segment = BuiltSegment(
      from: hosts[side.rawValue], to: hosts[side.other.rawValue], sequence: next[side.rawValue])
    segment.flags = flags
    if flags & 16 != 0 { segment.acknowledgment = acknowledged[side.rawValue] }
    segment.payload = payload
    return segment
  }
}
