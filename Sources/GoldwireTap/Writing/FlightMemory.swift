internal import GoldwireTrace

/// What a flight recorder keeps: the last lines, and of the older ones what the machines of living channels need.
struct FlightMemory {
  private let header: TraceHeader
  private let capacity: Int
  private let span: Int
  private let dumps: FlightDumps?
  /// The lines, a ring once it is full; the oldest at `first`.
  private var lines: [TraceLine] = []
  private var first = 0
  private var count = 0
  private var older: TraceContinuation
  /// The instant of the last line that was left out.
  private var left = 0
  private var written = 0
  private var isFired = false

  /// The limits of what is told of before: the lines of one channel, and of all.
  private static var pins: TraceContinuation.Limits {
    var limits = TraceContinuation.Limits()
    limits.lines = 16_384
    // An app that never says that a session is over would fill the memory with what is told of it.
    limits.channels = 2_048
    return limits
  }

  init(_ header: TraceHeader, _ limits: FlightLimits, _ dumps: FlightDumps?) {
    self.header = header
    self.dumps = dumps
    capacity = max(16, limits.bytes / MemoryLayout<TraceLine>.stride)
    let (seconds, attoseconds) = limits.span.components
    let (product, overflow) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
    span = overflow ? .max : product &+ Int(attoseconds / 1_000_000_000_000)
    older = TraceContinuation(flightOf: header.inForce, unit: .us, limits: Self.pins)
  }

  /// Takes the next line.
  mutating func take(_ line: TraceLine) {
    if count == capacity { leaveOut() }
    forget(before: line.t &- span)
    let place = (first + count) % capacity
    if place < lines.count { lines[place] = line } else { lines.append(line) }
    count += 1
    if let dumps, !isFired { isFired = dumps.triggers.contains { $0.isFired(by: line.event) } }
  }

  /// Leaves out what is older than the span at `t`.
  mutating func forget(before t: Int) {
    while count > 0, lines[first].t < t { leaveOut() }
  }

  private mutating func leaveOut() {
    older.leaveOut(lines[first])
    left = lines[first].t
    first = (first + 1) % capacity
    count -= 1
  }

  /// The path of a dump that is due, since a trigger fired; once for each firing, and for so many files.
  mutating func dueDump() -> String? {
    guard let dumps, isFired else { return nil }
    isFired = false
    guard written < dumps.mostFiles else { return nil }
    written += 1
    return dumps.path(of: written)
  }

  /// The trace of what is kept, which ends at `t`.
  mutating func dump(at t: Int) -> [UInt8] {
    forget(before: t &- span)
    var pseudonyms = TapPseudonyms()
    var bytes: [UInt8] = []
    bytes.append(header)
    for line in older.pinned(at: left) { bytes.append(pseudonyms.apply(to: line)) }
    for index in 0..<count { bytes.append(pseudonyms.apply(to: lines[(first + index) % capacity])) }
    bytes.append(TraceLine(t: t, event: .recEnd(why: .limit, counts: nil)))
    return bytes
  }

  /// Writes bytes of a trace to a file of mode 0600, at once; compressed where its name ends in `.gz`.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    guard path.hasSuffix(".gz") else {
      return try AtomicFile.write(bytes, to: path, mode: 0o600, keepsMode: false)
    }
    var compressed: [UInt8] = []
    do throws(Inflater.Failure) {
      var gzip = try GzipWriter()
      gzip.write(bytes.span, to: &compressed)
      gzip.finish(to: &compressed)
    } catch {
      throw FileError(path: path, .replace, code: 0)
    }
    try AtomicFile.write(compressed, to: path, mode: 0o600, keepsMode: false)
  }
}
