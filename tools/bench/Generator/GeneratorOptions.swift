/// What a capture is made of; equal options give equal bytes.
public struct GeneratorOptions: Equatable, Sendable {
  /// The TCP connections.
  public var connections = 200
  /// The seed of all randomness.
  public var seed: UInt64 = 1
  /// The size that is aimed at, in bytes; the file comes close to it.
  public var targetBytes = 20_000_000
  /// The mean size of a message, an event's data and a body's twelfth part, in bytes.
  public var payload = 180
  /// Within which time packets of different connections change places in the file, in microseconds.
  public var shuffle = 0
  /// How many of a million packets are left out.
  public var drop = 0
  /// pcapng with two interfaces, Ethernet in microseconds and raw IP in nanoseconds; else pcap.
  public var isPcapng = false

  /// Makes the options of a capture of 20 MB.
  public init() {}
}
