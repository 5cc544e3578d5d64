/// A whole trace in memory, as a replay reads it.
public struct Trace: Equatable, Sendable {
  /// The first line.
  public var header: TraceHeader
  /// The events, in line order; their instants never go down.
  public var lines: [TraceLine]
  /// Whether the last line was torn, or the compressed file cut: the recording went on.
  public var isTorn: Bool
  /// What was read over.
  public var skipped: Skipped
  /// The number in the file of each element of ``lines``; empty where nothing was skipped.
  private var numbers: [Int]

  /// What a reader ignored, as counts for a warning.
  public struct Skipped: Equatable, Sendable {
    /// Lines whose `ev` this version does not know.
    public var events: Int = 0
    /// Keys that the header or an event does not have.
    public var keys: Int = 0
    /// The first line that has either, or nil.
    public var firstLine: Int?

    /// Makes counts of nothing.
    public init() {}
  }

  /// Makes a trace of lines that are numbered from 2 on.
  public init(header: TraceHeader, lines: [TraceLine], isTorn: Bool = false) {
    self.header = header
    self.lines = lines
    self.isTorn = isTorn
    skipped = Skipped()
    numbers = []
  }

  /// Reads a trace to its end.
  public init(reading reader: consuming TraceReader) throws {
    var reader = reader
    header = reader.header
    lines = []
    numbers = []
    var line = TraceLine()
    while try reader.read(into: &line) {
      if lines.count >= reader.limits.lines {
        throw TraceError(line: reader.lineNumber, "expected at most \(reader.limits.lines) lines")
      }
      if numbers.isEmpty, reader.lineNumber != lines.count + 2 { numbers = Array(2..<lines.count + 2) }
      if !numbers.isEmpty || reader.lineNumber != lines.count + 2 { numbers.append(reader.lineNumber) }
      if lines.count == lines.capacity { lines.makeRoom(reader.expectedLines, reader.limits.lines) }
      lines.append(line)
    }
    isTorn = reader.isTorn
    skipped = reader.skipped
  }

  /// Loads a trace from a file, plain or compressed; `-` is standard input.
  ///
  /// Throws a ``FileError`` for what the system refuses, a ``TraceError`` for what is no trace.
  public static func load(
    path: String, limits: TraceLimits = TraceLimits()
  ) throws -> Trace {
    try Trace(reading: TraceReader(ByteInput(path: path, limits: limits.inflate), limits: limits))
  }

  /// Reads a trace from memory, plain or compressed.
  public init(bytes: [UInt8], limits: TraceLimits = TraceLimits()) throws {
    try self.init(
      reading: TraceReader(ByteInput(bytes: bytes, limits: limits.inflate), limits: limits))
  }

  /// The number in the file of the element at `index`, from 2 for what follows the header.
  public func lineNumber(at index: Int) -> Int {
    numbers.indices.contains(index) ? numbers[index] : index + 2
  }

  /// The last instant up to which wake-ups run: that of `rec.end`, or of the last line.
  public var horizon: Int { lines.last?.t ?? 0 }

  /// The canonical bytes of the whole trace.
  public func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(header)
    for line in lines { bytes.append(line) }
    return bytes
  }
}

extension [TraceLine] {
  /// Makes room for the lines that are to come, as many as are expected and at most `limit`.
  ///
  /// Growing by doubling would copy all lines once more, and write each page of memory twice. The room is
  /// bounded by a multiple of what was read, since what the first lines promise may be wrong.
  fileprivate mutating func makeRoom(_ expected: Int?, _ limit: Int) {
    let most = Swift.min(Swift.max(4_096, count * 1_024), limit)
    let guess = (expected ?? 0) + (expected ?? 0) / 32 + 1
    reserveCapacity(Swift.max(count * 2, Swift.min(guess, most)))
    adviseLargePages()
  }
}
