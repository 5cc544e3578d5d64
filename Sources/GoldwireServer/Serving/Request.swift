internal import GoldwireProtocols

/// A request's head, as far as the server needs it.
struct Request: Sendable {
  var method: HTTPMethod
  /// The target as it stands.
  var target: String
  /// The target's path, without an authority before it and a query behind it.
  var path: String
  /// What stands behind the question mark.
  var query: String
  /// The bytes of its body as announced.
  var length: Int?
  var hasBody: Bool
  var isExpecting: Bool
  /// Whether the client wants the connection closed after the answer.
  var closes: Bool
  var asksForWebSocket: Bool
  var asksForEventStream: Bool
  var webSocketKey: [UInt8]?
  var webSocketVersion: String?
  var lastEventID: [UInt8]?
  var idempotencyKey: [UInt8]?

  /// Reads the decoder's latest head, whose bytes are `bytes`.
  init(_ head: HTTP1Head, _ bytes: Span<UInt8>) {
    func text(_ place: ByteRange) -> [UInt8]? {
      guard place.isPresent else { return nil }
      let range = place.bounds.clamped(to: 0..<bytes.count)
      return range.map { bytes[$0] }
    }
    method = head.method
    target = String(decoding: text(head.target) ?? [], as: UTF8.self)
    (path, query) = Request.split(target)
    length = head.contentLength
    hasBody = head.framing != .none
    isExpecting = head.facts.contains(.expectContinue)
    closes = head.facts.contains(.close) || head.minor == 0 && !head.facts.contains(.keepAlive)
    asksForWebSocket = head.asksForWebSocket
    asksForEventStream = head.asksForEventStream
    webSocketKey = text(head.webSocketKey)
    webSocketVersion = Request.field("sec-websocket-version", bytes)
    lastEventID = text(head.lastEventID)
    idempotencyKey = text(head.idempotencyKey)
  }

  /// Path and query of a target.
  static func split(_ target: String) -> (path: String, query: String) {
    var rest = target[...]
    if let scheme = rest.firstRange(of: "://"), !rest[..<scheme.lowerBound].contains("/") {
      rest = rest[scheme.upperBound...]
      rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
    }
    rest = rest.prefix { $0 != "#" }
    let path = rest.prefix { $0 != "?" }
    return (String(path), String(rest.dropFirst(path.count + 1)))
  }

  /// The value of a field that the decoder does not look for; `name` in small letters.
  private static func field(_ name: String, _ bytes: Span<UInt8>) -> String? {
    let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline).dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == name else { continue }
      return String(parts[1].drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
    }
    return nil
  }
}
