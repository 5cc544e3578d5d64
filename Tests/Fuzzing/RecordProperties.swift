import GoldwireCapture
import GoldwirePackets
import GoldwireTrace

/// Whatever a capture holds, its trace is one that is read as it was written and holds nothing of it.
enum RecordProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let settings = settings(input.byte())
    let bytes = input.rest
    let once = try record(bytes, settings)
    var other = settings
    other.seed = 99
    let twice = try record(bytes, other)
    try hold(once == twice, "the key of the hashes changes nothing")
  }

  /// Settings of some choice.
  static func settings(_ choice: UInt8) -> RecordSettings {
    var settings = RecordSettings(tool: "goldwire 0.0.0", seed: 7)
    settings.limits.inflateAllowance = 1 << 14
    settings.limits.inflateRatio = 16
    settings.splits = choice & 1 != 0
    if choice & 2 != 0 { settings.beats = BeatPreset.allCases[Int(choice >> 4) % BeatPreset.allCases.count] }
    if choice & 4 != 0 {
      settings.limits.channels = 2
      settings.limits.refusedChannels = 1
      settings.limits.httpBytesInAll = 20_000
      settings.limits.failures = 1
      settings.limits.eventIDs = 3
      settings.limits.eventIDsInAll = 4
      settings.limits.revisions = 2
      settings.limits.revisionsInAll = 3
      settings.limits.keys = 1
      settings.limits.keysInAll = 2
      settings.limits.pings = 2
      settings.limits.heldLines = 4
      settings.limits.silentChannels = 1
      settings.limits.attempts = 1
      settings.limits.inflaters = 1
      settings.packetLimits.connections = 2
      settings.packetLimits.heldSegments = 3
    }
    return settings
  }

  /// The trace of a capture, checked; nil for bytes that are none.
  static func record(_ bytes: [UInt8], _ settings: RecordSettings) throws(FuzzFinding) -> Trace? {
    var recorder = CaptureRecorder(settings)
    var lines: [TraceLine] = []
    var header: TraceHeader?
    do throws(CaptureFailure) {
      var file = try CaptureFile(bytes: bytes, limits: settings.packetLimits)
      var isGoing = true
      while isGoing {
        isGoing = try file.step(into: &recorder)
        if header == nil { header = recorder.takeHeader() }
        while let line = recorder.nextLine() { lines.append(line) }
      }
    } catch {
      // What was read up to the damage counts, as the command writes it.
    }
    recorder.finish(.eof)
    if header == nil { header = recorder.takeHeader() }
    while let line = recorder.nextLine() { lines.append(line) }
    guard let header else { throw FuzzFinding("a recording has a header") }
    let trace = Trace(header: header, lines: lines)
    try clean(trace)
    try hold(
      lines.count { if case .recEnd = $0.event { true } else { false } } == 1, "a recording ends once")
    return trace
  }

  /// A trace that a recorder made is read as it was written, without a finding of the audit.
  static func clean(_ trace: Trace, isBounded: Bool = true) throws(FuzzFinding) {
    try TraceProperties.written(trace, isBounded: isBounded)
    let found = TraceProperties.audit(trace.bytes())
    try hold(found.isEmpty, "a recording passes the audit: \(found)")
  }
}
