/// The first line of a trace: a closed list of keys.
public struct TraceHeader: Equatable, Sendable {
  /// The major version of the format that this library reads and writes.
  public static let version = 1
  /// The release that headers of this package's own recorders name.
  package static let release = "0.1.0"

  /// `tool`: the tool and version that wrote the trace.
  public var tool: String
  /// Where the trace came from.
  public var source: Source
  /// The unit of every instant.
  public var unit: Unit
  /// The clock of every instant.
  public var clock: Clock
  /// The source's own resolution in µs, where it is coarser than 1.
  public var grain: Int?
  /// The local wall clock at t = 0, in µs since the UTC midnight before it.
  public var wall: Int?
  /// Where it was recorded.
  public var at: Vantage
  /// Kinds that the source cannot see, in the order of the vocabulary.
  public var blind: [Blind]
  /// The parameters that the recorded client ran with.
  public var inForce: ParameterTable?
  /// Who says so.
  public var inForceBy: Authority?
  /// The preset that marks application-level heartbeats.
  public var beats: BeatPreset?

  /// Makes a header.
  public init(
    tool: String, source: Source, unit: Unit, clock: Clock, grain: Int? = nil, wall: Int? = nil,
    at: Vantage, blind: [Blind] = [], inForce: ParameterTable? = nil, inForceBy: Authority? = nil,
    beats: BeatPreset? = nil
  ) {
    self.tool = tool
    self.source = source
    self.unit = unit
    self.clock = clock
    self.grain = grain
    self.wall = wall
    self.at = at
    self.blind = blind
    self.inForce = inForce
    self.inForceBy = inForceBy
    self.beats = beats
  }
}
