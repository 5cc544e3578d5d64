import GoldwireTrace

/// The file or files that a recording is written to, each a trace that stands by itself.
struct RecordFiles: ~Copyable {
  private let path: String
  private let console: Console
  private let input: FileIdentity?
  private let bounds: RecordBounds
  private let header: TraceHeader
  /// Whether a file's or the recording's size or time has a bound.
  private let isBounded: Bool
  private var writer: TraceWriter
  private var continuation: TraceContinuation?
  private var number = 0
  /// The bytes of the files before.
  private var before = 0
  /// The bytes with which the current file began: its header, and what is told again.
  private var pinned = 0
  /// The recording's own lines in the current file.
  private var lines = 0
  private var last = 0
  /// Whether the recording is as large as it may become; of what comes now only the end is written.
  private(set) var isFull = false

  /// Makes the first file, with the header.
  init(
    _ path: String, _ header: TraceHeader, apartFrom input: FileIdentity?, _ bounds: RecordBounds,
    _ console: Console
  ) throws(CommandError) {
    self.path = path
    self.console = console
    self.input = input
    self.bounds = bounds
    self.header = header
    isBounded = bounds.rotates || bounds.most != nil
    continuation = bounds.rotates ? TraceContinuation(unit: header.unit) : nil
    writer = try RecordFiles.begin(path, header, apartFrom: input, console)
  }

  /// How many files there are.
  var count: Int { number + 1 }

  /// Writes a line, in another file where it is time for one.
  mutating func write(_ line: TraceLine) throws(CommandError) {
    if !isBounded { return try put(line) }
    if case .recEnd(_, let counts) = line.event {
      return try put(isFull ? TraceLine(t: last, event: .recEnd(why: .limit, counts: counts)) : line)
    }
    if !isFull, let most = bounds.most, lines > 0, before + writer.bytes >= most { isFull = true }
    if isFull { return }
    // Lines of one instant stay together.
    if bounds.rotates, lines > 0, line.t > last { try rotate(before: line) }
    try put(continuation?.take(line) ?? line)
    lines += 1
    last = line.t
  }

  /// Hands on what is buffered.
  mutating func flush() throws(CommandError) {
    do throws(FileError) { try writer.flush() } catch { throw CommandError(error) }
  }

  /// Makes all that was written readable, also in a compressed file.
  mutating func sync() throws(CommandError) {
    do throws(FileError) { try writer.sync() } catch { throw CommandError(error) }
  }

  /// Ends the last file.
  mutating func finish() throws(CommandError) {
    do throws(FileError) { try writer.finish() } catch { throw CommandError(error) }
  }

  private mutating func put(_ line: TraceLine) throws(CommandError) {
    do throws(FileError) { try writer.write(line) } catch { throw CommandError(error) }
  }

  private mutating func rotate(before line: TraceLine) throws(CommandError) {
    let stretch = bounds.stretch(line.t, header.unit)
    let isTime = stretch.number > bounds.stretch(last, header.unit).number
    // A file has at least as many bytes of its own as it tells again, so that all grow no faster than the trace.
    let isLarge = writer.bytes >= max(bounds.fileBytes ?? .max, 2 * pinned)
    guard isTime || isLarge else { return }
    // Nothing came up to the end of the last whole stretch: that is known, and so it is the file's end.
    let end = isTime ? max(last, stretch.begin) : last
    try put(TraceLine(t: end, event: .recEnd(why: .limit, counts: nil)))
    try finish()
    before += writer.bytes
    number += 1
    lines = 0
    writer = try RecordFiles.begin(RecordBounds.name(path, number), header, apartFrom: input, console)
    for line in continuation?.begin(at: end) ?? [] { try put(line) }
    pinned = writer.bytes
  }

  private static func begin(
    _ path: String, _ header: TraceHeader, apartFrom input: FileIdentity?, _ console: Console
  ) throws(CommandError) -> TraceWriter {
    var writer = try Traces.writer(path, console, apartFrom: input)
    do throws(FileError) {
      try writer.write(header)
      // From now on it is a trace, whatever ends the process.
      try writer.sync()
    } catch { throw CommandError(error) }
    return writer
  }
}
