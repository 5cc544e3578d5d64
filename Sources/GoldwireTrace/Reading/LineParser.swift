/// What is known between the lines of a trace: their number, the last instant, what was read over.
struct LineParser {
  /// The number of the line that was read last; the header is 1.
  private(set) var number = 1
  /// What was read over.
  var skipped = Trace.Skipped()
  private var instant = 0
  private var fields: LineFields

  init(limits: TraceLimits) { fields = LineFields(limits: limits) }

  /// Reads the next line; nil for an event that this version does not know.
  mutating func read(_ bytes: Span<UInt8>) throws(TraceError) -> TraceLine? {
    number += 1
    if let line = TraceLine(canonical: bytes), line.t >= instant {
      instant = line.t
      return line
    }
    return try readAnyOrder(bytes)
  }

  @inline(never)
  private mutating func readAnyOrder(_ bytes: Span<UInt8>) throws(TraceError) -> TraceLine? {
    try fields.read(bytes, line: number)
    let line = try fields.traceLine()
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
