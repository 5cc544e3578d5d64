import GoldwireCapture
import GoldwireTrace

/// A HAR is refused with a place, or its trace is clean.
enum HARProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let settings = RecordProperties.settings(input.byte())
    var limits = HARLimits()
    limits.entries = 200
    limits.items = 400
    limits.headers = 8
    limits.depth = 64
    limits.valueBytes = 200
    var har: HARImport
    do throws(TraceError) { har = try HARImport(input.rest, settings, limits: limits) } catch {
      return try hold(!error.description.contains("\n"), "an error is one line")
    }
    var lines: [TraceLine] = []
    while let line = har.nextLine() {
      lines.append(line)
      try hold(lines.count < 100_000, "an import ends")
    }
    // Sizes stand in it as text, of any length.
    try RecordProperties.clean(Trace(header: har.header, lines: lines), isBounded: false)
  }
}
