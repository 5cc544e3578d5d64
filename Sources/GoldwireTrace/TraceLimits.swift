/// The limits of reading a trace, a golden or a configuration.
public struct TraceLimits: Equatable, Sendable {
  /// The largest whole number, either side of zero: what every JSON reader keeps exactly, 2^53 − 1.
  public static let number = 9_007_199_254_740_991
  /// The most bytes of a header's `tool`.
  public static let toolBytes = 64

  /// The most bytes of one line.
  public var lineBytes: Int
  /// How deep values may be nested.
  public var depth: Int
  /// The most lines that are kept in memory.
  public var lines: Int
  /// The most bytes of a file that is read whole, a golden or a configuration.
  public var fileBytes: Int
  /// How much a compressed trace may inflate to.
  public var inflate: Inflater.Limits

  /// Makes limits; as they come, they are far above what recorders write.
  public init(
    lineBytes: Int = 65_536, depth: Int = 32, lines: Int = 50_000_000, fileBytes: Int = 1 << 26,
    inflate: Inflater.Limits = Inflater.Limits()
  ) {
    self.lineBytes = lineBytes
    self.depth = depth
    self.lines = lines
    self.fileBytes = fileBytes
    self.inflate = inflate
  }
}
