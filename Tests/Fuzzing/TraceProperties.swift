import GoldwireTrace

/// A trace that can be read means the same however it is written, and what is written of it is clean.
enum TraceProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let bytes = input.rest
    var limits = TraceLimits()
    if choice & 1 == 1 {
      limits.lineBytes = 300
      limits.depth = 3
    }
    limits.lines = 10_000
    limits.inflate.outputBytes = 1 << 20
    let found = audit(bytes, limits)
    guard let trace = try read(bytes, limits) else {
      try hold(!found.isEmpty, "what cannot be read is a finding of the audit")
      return
    }
    try written(trace)
    let canonical = trace.bytes()
    if found.isEmpty {
      // The last line's end may be missing, which the audit takes for a line; a compressed file is its content.
      let isPlain = !bytes.starts(with: [0x1F, 0x8B])
      try hold(!isPlain || bytes == canonical, "a trace without findings is as the writer makes it")
    }
    try elsewise(bytes, trace, limits)
  }

  /// The trace, or nil for bytes that are none.
  static func read(_ bytes: [UInt8], _ limits: TraceLimits) throws(FuzzFinding) -> Trace? {
    do {
      return try Trace(bytes: bytes, limits: limits)
    } catch let error as TraceError {
      try hold(!error.description.contains("\n"), "an error is one line")
      return nil
    } catch is FileError {
      return nil
    } catch {
      throw FuzzFinding("an error is one of the module's")
    }
  }

  /// What a trace holds that it should not.
  static func audit(_ bytes: [UInt8], _ limits: TraceLimits = TraceLimits()) -> [AuditFinding] {
    do throws(FileError) { return try TraceAudit.findings(in: bytes, limits: limits) } catch {
      return [AuditFinding(line: 1, column: 1, kind: .unreadable)]
    }
  }

  /// What is written of a trace is read as the trace, written the same again, and passes the audit.
  ///
  /// A tool's name and the order of pseudonyms are not the writer's. Numbers beyond what the format holds are written
  /// as its largest, so that a trace may be read as another; `isBounded` says that it has none.
  static func written(_ trace: Trace, isBounded: Bool = true) throws(FuzzFinding) {
    let bytes = trace.bytes()
    guard let again = try read(bytes, TraceLimits()) else {
      throw FuzzFinding("what is written can be read: \(String(decoding: bytes, as: UTF8.self))")
    }
    try hold(again.header == trace.header, "a header is read as it was written")
    try hold(!isBounded || again.lines == trace.lines, "lines are read as they were written")
    try hold(again.lines.count == trace.lines.count, "as many lines are read as were written")
    try hold(again.bytes() == bytes, "what was read is written the same")
    try hold(!again.isTorn && again.skipped == Trace.Skipped(), "nothing written is torn or unknown")
    let foreign = audit(bytes).filter { ![AuditFinding.Kind.tool, .pseudonym, .number].contains($0.kind) }
    try hold(foreign.isEmpty, "what is written passes the audit: \(foreign)")
  }

  /// Other line ends, blanks at the front of a line or compression change nothing.
  private static func elsewise(_ bytes: [UInt8], _ trace: Trace, _ limits: TraceLimits) throws(FuzzFinding) {
    guard bytes.first != 0x1F, limits.lineBytes > 300 else { return }
    var other: [UInt8] = []
    for byte in bytes {
      if byte == 0x0A, other.last != 0x0D { other.append(0x0D) }
      other.append(byte)
      // A line is not canonical any more, and goes the long way.
      if byte == 0x7B, other.count < 2 || other[other.count - 2] == 0x0A { other.append(0x20) }
    }
    if bytes.count < 30_000, let again = try read(other, limits) {
      try hold(again.lines == trace.lines && again.header == trace.header, "both ways read the same")
    } else if bytes.count < 30_000 {
      throw FuzzFinding("what is read in one way is read in the other")
    }
    guard var writer = try? GzipWriter() else { return }
    var packed: [UInt8] = []
    writer.write(bytes.span, to: &packed)
    writer.finish(to: &packed)
    let unpacked = try read(packed, limits)
    try hold(unpacked == trace, "a compressed trace is read the same")
  }
}
