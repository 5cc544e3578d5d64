public import GoldwirePackets
public import GoldwireTrace

/// What a recording is told before it begins.
public struct RecordSettings: Sendable {
  /// The tool and version that the header names.
  public var tool: String
  /// Where the capture was made; nil takes the loopback interface for the client and anything else for
  /// unknown.
  public var vantage: Vantage?
  /// The parameters that the recorded client ran with, as stated by whoever records.
  public var inForce: ParameterTable?
  /// The preset that marks application-level heartbeats.
  public var beats: BeatPreset?
  /// Whether each connection is a channel of its own.
  public var splits: Bool
  /// The limits of the recorder's own memory.
  public var limits: CaptureLimits
  /// The limits of the packet layer.
  public var packetLimits: PacketLimits
  /// The key of all hashes; it changes nothing that is written.
  public var seed: UInt64

  /// Makes settings with nothing stated.
  public init(tool: String, seed: UInt64) {
    self.tool = tool
    self.seed = seed
    vantage = nil
    inForce = nil
    beats = nil
    splits = false
    limits = CaptureLimits()
    packetLimits = PacketLimits()
  }
}
