import GoldwireCapture
import GoldwireTrace

/// A HAR put together for a test, and what it is imported as.
struct HARFixture {
  /// The lines of the trace, as they are written.
  var texts: [String] = []
  /// The header as it is written.
  var header = ""
  /// The entries that were passed over.
  var ignored = 0
  /// The entries that were never on the wire.
  var unsent = 0

  /// Imports a HAR's text.
  init(_ text: String, _ change: (inout RecordSettings) -> Void = { _ in }) throws(TraceError) {
    try self.init(Array(text.utf8), change)
  }

  /// Imports a HAR's bytes.
  init(
    _ bytes: [UInt8], limits: HARLimits = HARLimits(), _ change: (inout RecordSettings) -> Void = { _ in }
  ) throws(TraceError) {
    var settings = RecordSettings(tool: "goldwire 0.0.0", seed: 7)
    change(&settings)
    var har = try HARImport(bytes, settings, limits: limits)
    var line: [UInt8] = []
    line.append(har.header)
    header = String(decoding: line.dropLast(), as: UTF8.self)
    ignored = har.ignored
    unsent = har.unsent
    while let next = har.nextLine() {
      line.removeAll()
      line.append(next)
      texts.append(String(decoding: line.dropLast(), as: UTF8.self))
    }
  }

  /// The whole trace.
  var bytes: [UInt8] { Array(([header] + texts).map { $0 + "\n" }.joined().utf8) }

  /// The instants in order.
  var instants: [Int] {
    texts.compactMap { $0.dropFirst(5).split(separator: ",").first.flatMap { Int($0) } }
  }

  /// The lines without their braces and the end of the recording.
  var lines: [String] { texts.dropLast().map { String($0.dropFirst().dropLast()) } }

  /// A whole HAR of some entries.
  static func log(_ entries: [String], creator: String = "test") -> String {
    #"{"log":{"version":"1.2","creator":{"name":"\#(creator)","version":"1"},"pages":[],"entries":["#
      + entries.joined(separator: ",") + "]}}"
  }

  /// One entry; `start` counts ms from a fixed minute, and each phase lasts 1 ms but for what is given.
  static func entry(
    _ method: String, _ url: String, at start: Int = 0, wait: Int = 10, receive: Int = 5,
    headers: [(String, String)] = [], status: Int = 200, response: [(String, String)] = [],
    body: String? = nil, size: Int = 0, content: String? = nil, extra: String = ""
  ) -> String {
    let digits = String(start % 1000)
    let milliseconds = String(repeating: "0", count: 3 - digits.count) + digits
    let seconds = start / 1000
    let clock = "2026-03-01T12:\(30 + seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    let post = body.map { #","postData":{"mimeType":"text/plain","text":"\#($0)"}"# } ?? ""
    let text = content.map { #","text":"\#($0)""# } ?? ""
    return
      #"{"startedDateTime":"\#(clock).\#(milliseconds)Z","time":99,"request":{"method":"\#(method)","url":"\#(url)","#
      + #""headers":\#(list(headers)),"bodySize":\#(body?.utf8.count ?? 0)\#(post)},"response":{"status":\#(status),"#
      + #""headers":\#(list(response)),"content":{"size":\#(size),"mimeType":"x-unknown"\#(text)},"bodySize":\#(size)},"#
      + #""timings":{"blocked":-1,"dns":-1,"connect":-1,"send":1,"wait":\#(wait),"receive":\#(receive)}\#(extra)}"#
  }

  private static func list(_ headers: [(String, String)]) -> String {
    "[" + headers.map { #"{"name":"\#($0)","value":"\#($1)"}"# }.joined(separator: ",") + "]"
  }
}
