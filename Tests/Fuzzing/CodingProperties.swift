import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace

/// A coded event stream gives the same events however its bytes come in.
enum CodingProperties {
  private static let codings = [
    "gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate", "identity", "x",
  ]

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let cut = input.cut()
    let body = input.rest
    let whole = try events([body], choice)
    let pieces = try events(cut.pieces(of: body), choice)
    guard let whole, let pieces else { return }
    // How much comes out of damaged data before the damage is seen is the libraries' own.
    let isDamaged = [whole, pieces].map { $0.contains(.recNote(.undecodable, rule: nil)) }
    try hold(isDamaged[0] == isDamaged[1], "the same is damaged whole and in pieces:\n\(whole)\n\(pieces)")
    let (left, right) = isDamaged[0] ? (before(whole), before(pieces)) : (whole, pieces)
    let count = isDamaged[0] ? min(left.count, right.count) : max(left.count, right.count)
    try hold(
      left.prefix(count) == right.prefix(count), "the same events whole and in pieces:\n\(whole)\n\(pieces)")
  }

  /// The events before the damage.
  private static func before(_ events: [TraceEvent]) -> [TraceEvent] {
    Array(events.prefix { $0 != .recNote(.undecodable, rule: nil) })
  }

  /// The events of the stream; nil where it went over a limit.
  private static func events(_ pieces: [[UInt8]], _ choice: UInt8) throws(FuzzFinding) -> [TraceEvent]? {
    var settings = RecordProperties.settings(0)
    settings.limits.inflateAllowance = 1 << 18
    settings.limits.inflateRatio = 1
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
      + "Content-Encoding: \(codings[Int(choice & 7)])\r\n\r\n"
    var capture = CaptureBuilder()
    capture.step = 0
    let socket = capture.connection(client: .v4(1, port: 40_000), server: .v4(2, port: 80))
    capture.connect(socket)
    capture.send(socket, .client, "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
    capture.send(socket, .server, head)
    for piece in pieces where !piece.isEmpty { capture.send(socket, .server, piece) }
    capture.close(socket, .server)
    guard let trace = try RecordProperties.record(capture.bytes, settings) else { return nil }
    var events: [TraceEvent] = []
    for line in trace.lines {
      switch line.event {
      case .recGap(let gap) where gap.why == .limit: return nil
      case .sseEvent, .sseID, .sseRetry, .sseComment, .sseCut, .recNote: events.append(line.event)
      default: break
      }
    }
    return events
  }
}
