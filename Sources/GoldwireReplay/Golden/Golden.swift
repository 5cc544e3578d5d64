internal import GoldwireBytes
internal import GoldwireTrace

/// A golden file: the actions that one machine takes over one trace.
public struct Golden: Equatable, Sendable {
  /// The limits of goldens.
  public enum Limits {
    /// The number of actions above which a new golden has outcomes alone.
    public static let actions = 200
    /// The most bytes of a trace's name or a set's.
    public static let nameBytes = 255
  }

  /// The first line.
  public var header: GoldenHeader
  /// The actions, in the canonical order, with `end` last.
  public var lines: [GoldenLine]

  /// Makes a golden.
  public init(header: GoldenHeader, lines: [GoldenLine]) {
    self.header = header
    self.lines = lines
  }

  /// Reads a golden from its bytes.
  ///
  /// Throws a ``ReplayError`` that names line and column, and what was expected there.
  public init(bytes: [UInt8]) throws(ReplayError) {
    do {
      self = try GoldenParser.parse(bytes)
    } catch {
      throw ReplayError(line: error.line, column: error.column, error.message)
    }
  }

  /// The canonical bytes.
  public func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(header)
    for line in lines { bytes.append(line) }
    return bytes
  }
}
