/// How much a flight recorder keeps in memory: the last lines within a span of time, and within so many bytes.
public struct FlightLimits: Equatable, Sendable {
  /// How far back it reaches.
  public var span: Duration
  /// The most memory that its lines take.
  public var bytes: Int

  /// Makes limits; as they come, five minutes and 4 MiB.
  public init(span: Duration = .seconds(300), bytes: Int = 4_194_304) {
    self.span = span
    self.bytes = bytes
  }
}
