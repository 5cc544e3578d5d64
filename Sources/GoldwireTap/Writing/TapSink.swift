internal import GoldwireTrace

/// What a tap writes to.
enum TapTarget: Sendable {
  /// A file of at most so many bytes before its last line.
  case file(String, mostBytes: Int)
  /// Whatever takes the bytes.
  case hand(@Sendable (Span<UInt8>) throws(FileError) -> Void, mostBytes: Int)
}

/// Where the lines of a tap go: into a file, or into a flight recorder's memory.
struct TapSink: ~Copyable {
  private var writer: TraceWriter?
  private var flight: FlightMemory?
  private var pseudonyms = TapPseudonyms()
  private var hasNews = false
  private let mostBytes: Int
  /// Why nothing more can be written.
  private(set) var failure: FileError?

  /// Makes a sink, and writes the header of a trace.
  init(_ target: TapTarget, _ header: TraceHeader) throws(FileError) {
    switch target {
    case .file(_, let most), .hand(_, let most): mostBytes = most
    }
    writer = try Self.begin(target, header)
  }

  /// Makes a sink that keeps the last lines in memory.
  init(_ limits: FlightLimits, _ dumps: FlightDumps?, _ header: TraceHeader) {
    mostBytes = 0
    flight = FlightMemory(header, limits, dumps)
  }

  private static func begin(_ target: TapTarget, _ header: TraceHeader) throws(FileError) -> TraceWriter? {
    var writer: TraceWriter
    switch target {
    case .file(let path, _): writer = TraceWriter(to: try ByteOutput(path: path))
    case .hand(let send, _): writer = TraceWriter(send: send)
    }
    try writer.write(header)
    try writer.sync()
    return consume writer
  }

  /// Takes the next line.
  mutating func take(_ line: TraceLine) {
    flight?.take(line)
    guard writer != nil else { return }
    hasNews = true
    attempt { (writer, pseudonyms) throws(FileError) in try writer.write(pseudonyms.apply(to: line)) }
    if writer?.bytes ?? 0 >= mostBytes { finish(at: line.t, why: .limit) }
  }

  /// Makes the lines so far readable for whoever opens the file now.
  mutating func sync(at t: Int) {
    if let path = flight?.dueDump(), let bytes = dump(at: t) {
      do throws(FileError) { try FlightMemory.write(bytes, to: path) } catch { failure = error }
    }
    guard hasNews else { return }
    hasNews = false
    attempt { (writer, _) throws(FileError) in try writer.sync() }
  }

  /// Writes the last line, and ends the file.
  mutating func finish(at t: Int, why: EndReason) {
    attempt { (writer, _) throws(FileError) in
      try writer.write(TraceLine(t: t, event: .recEnd(why: why, counts: nil)))
      try writer.finish()
    }
    writer = nil
  }

  /// The bytes of a flight recorder's trace, which ends at `t`; nil for a file.
  mutating func dump(at t: Int) -> [UInt8]? { flight?.dump(at: t) }

  private mutating func attempt(
    _ body: (inout TraceWriter, inout TapPseudonyms) throws(FileError) -> Void
  ) {
    guard var writer = writer.take() else { return }
    do throws(FileError) {
      try body(&writer, &pseudonyms)
      self.writer = consume writer
    } catch {
      // What was written stays readable; nothing is tried again, since a line would be missing.
      failure = error
    }
  }
}
