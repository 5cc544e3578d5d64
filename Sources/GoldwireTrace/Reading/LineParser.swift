/// What is known between the lines of a trace: their number, the last instant, what was read over.
struct LineParser {
  /// The number of the line that was read last; the header is 1.
  private(set) var number = 1
  /// What was read over.
  var skipped = Trace.Skipped()
  /// The instant of the line that was read last.
  private(set) var instant = 0
  private var fields: LineFields
  /// The fields of a plain line, which are used for every one.
  var plain = PlainFields()

  init(limits: TraceLimits) { fields = LineFields(limits: limits) }

  /// Counts a line of this instant.
  @inline(__always)
  mutating func accept(_ instant: Int) {
    number &+= 1
    self.instant = instant
  }

  /// Reads the next line; nil for an event that this version does not know.
  mutating func read(_ bytes: Span<UInt8>) throws(TraceError) -> TraceLine? {
    if let line = TraceLine(canonical: bytes), line.t >= instant {
      accept(line.t)
      return line
    }
    number += 1
    return try readFully(bytes)
  }

  /// Reads a line with all that may stand in it, or says what is wrong.
  @inline(never)
  private mutating func readFully(_ bytes: Span<UInt8>) throws(TraceError) -> TraceLine? {
    try fields.read(bytes, line: number)
    let line = fields.traceLine(bytes)
    if let failure = fields.failure { throw failure }
    if let t = fields[.t], t.number < instant {
      throw TraceError(line: number, column: t.column, "expected \"t\" not to go down")
    }
    guard let line else {
      skipped.events += 1
      skipped.firstLine = skipped.firstLine ?? number
      return nil
    }
    instant = line.t
    let ignored = fields.ignoredKeys
    if ignored > 0 {
      skipped.keys += ignored
      skipped.firstLine = skipped.firstLine ?? number
    }
    return line
  }
}
