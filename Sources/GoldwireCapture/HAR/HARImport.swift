public import GoldwireTrace

/// The way from a HAR (HTTP Archive 1.2, as Chrome, Firefox, Charles, mitmproxy, Playwright and Proxyman write it) to
/// a trace that holds nothing of a payload.
///
///     var har = try HARImport(bytes, RecordSettings(tool: "goldwire 0.1.0", seed: seed))
///     try writer.write(har.header)
///     while let line = har.nextLine() { try writer.write(line) }
public struct HARImport {
  /// The trace's header.
  public let header: TraceHeader
  /// The entries that were read.
  public let entries: Int
  /// The entries that are neither HTTP nor WebSocket, and were passed over.
  public let ignored: Int
  /// The entries that were never on the wire (out of a cache, blocked, redirected by the browser), passed over too.
  public let unsent: Int
  private var recorder: HARRecorder

  /// Reads a whole HAR.
  ///
  /// Throws a ``TraceError`` that names line and column and what was expected there, for text that is no JSON
  /// or no HAR, that ends too early, or that crosses a limit.
  public init(
    _ bytes: [UInt8], _ settings: RecordSettings, limits: HARLimits = HARLimits()
  ) throws(TraceError) {
    let log = try HARReader.read(bytes.span, settings, limits)
    let grain = (log.digits..<6).reduce(1) { grain, _ in grain * 10 }
    entries = log.entries.count
    ignored = log.ignored
    unsent = log.unsent
    recorder = HARRecorder(log, grain: grain, settings)
    let isTimeless = log.entries.contains { entry in
      entry.stream.items.contains { $0.time == nil } || entry.messages.contains { $0.time == nil }
    }
    let blind = Blind.allCases.filter { kind in
      switch kind {
      case .wsPing, .wsPong, .wsClose: !log.controls.contains(kind)
      case .wsEnd, .app, .handler, .tick, .unit: true
      case .times: isTimeless
      }
    }
    header = TraceHeader(
      tool: settings.tool, source: .har, unit: .us, clock: .wall,
      grain: log.entries.isEmpty || grain == 1 ? nil : grain,
      wall: log.entries.isEmpty ? nil : recorder.clock.wall, at: settings.vantage ?? log.vantage,
      blind: blind, inForce: settings.inForce, inForceBy: settings.inForce == nil ? nil : .stated,
      beats: settings.beats)
  }

  /// The next line of the trace, or nil behind its end.
  public mutating func nextLine() -> TraceLine? { recorder.nextLine() }
}
