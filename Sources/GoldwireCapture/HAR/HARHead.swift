import GoldwireBytes
import GoldwireProtocols

/// Heads of requests and responses, put together from a HAR's fields as HTTP/1.1 writes them, so that one reader
/// knows what they mean.
///
/// Only lines that a trace needs something of are in them.
struct HARHead {
  /// The bytes.
  private(set) var bytes: [UInt8] = []
  private let limit: Int

  /// A request's head.
  init(request method: [UInt8], _ target: HARTarget, limit: Int) {
    self.limit = limit
    let isToken = !method.isEmpty && method.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    bytes = isToken ? Array(method.prefix(32)) : [0x58]
    bytes.append(0x20)
    bytes.append(contentsOf: target.origin)
    put(" HTTP/1.1\r\nhost: ")
    bytes.append(contentsOf: target.authority)
    put("\r\n")
  }

  /// A response's head.
  init(response status: Int, limit: Int) {
    self.limit = limit
    put("HTTP/1.1 ")
    let status = min(max(status, 100), 999)
    bytes.append(contentsOf: [100, 10, 1].map { UInt8(status / $0 % 10) + 0x30 })
    put(" \r\n")
  }

  /// Adds the lines of a header; a line end in its value, with which some tools join lines, parts them again.
  mutating func add(_ name: HARHeader, _ value: [UInt8]) {
    put(name.text)
    put(": ")
    for byte in value.prefix(limit) {
      switch byte {
      case 0x0A:
        put("\r\n")
        put(name.text)
        put(": ")
      case 0..<0x20, 0x7F: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    put("\r\n")
  }

  /// Adds the lines that were found.
  mutating func add(_ headers: [HARFields.Header], in text: Span<UInt8>) {
    for header in headers { add(header.name, HARCursor.decoded(header.value, in: text)) }
  }

  /// Ends the head.
  mutating func finish() { put("\r\n") }

  /// Reads the head; nil if it is none.
  static func read<Result>(
    _ bytes: [UInt8], _ role: HTTP1Role, _ body: (Span<UInt8>, HTTP1Head) -> Result
  ) -> Result? {
    var limits = HTTP1Limits()
    limits.headBytes = max(limits.headBytes, bytes.count)
    var decoder = HTTP1Decoder(role, limits: limits)
    var exchanges = HTTP1Exchanges()
    var offset = 0
    while let event = decoder.next(bytes.span, &offset, exchanges: &exchanges) {
      guard case .head = event else { continue }
      let head = decoder.head
      return decoder.withHead(bytes.span) { body($0, head) }
    }
    return nil
  }

  private mutating func put(_ text: StaticString) {
    bytes.append(addingCapacity: text.utf8CodeUnitCount) { $0.put(text) }
  }
}

/// The target of an entry: its origin, and the path with its query.
struct HARTarget {
  /// Whether TLS is spoken.
  let isSecure: Bool
  /// Whether the scheme is WebSocket's.
  let isWebSocket: Bool
  /// Host and port in lower case, without the scheme's own port and without user and password.
  let authority: [UInt8]
  /// The path with its query, as a request line has it.
  let origin: [UInt8]

  /// Reads a URL; nil if it is none of HTTP or WebSocket.
  init?(_ url: [UInt8], limit: Int) {
    let span = url.span
    let split = Authority.split(span)
    switch split.scheme {
    case .http: (isSecure, isWebSocket) = (false, false)
    case .https: (isSecure, isWebSocket) = (true, false)
    case .ws: (isSecure, isWebSocket) = (false, true)
    case .wss: (isSecure, isWebSocket) = (true, true)
    case .other, nil: return nil
    }
    var host = Array(url[split.authority])
    if let hash = host.firstIndex(of: 0x23) { host.removeSubrange(hash...) }
    if let at = host.lastIndex(of: 0x40) { host.removeSubrange(...at) }
    host = host.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 <= 0x20 || $0 == 0x7F ? 0x5F : $0 }
    let port = Array((isSecure ? ":443" : ":80").utf8)
    if host.count > port.count, host.suffix(port.count).elementsEqual(port) { host.removeLast(port.count) }
    guard !host.isEmpty, host.count <= limit else { return nil }
    authority = host
    origin = HARTarget.origin(url[split.path...], limit: limit)
  }

  /// The path and query without fragment; what a request line cannot hold is written as percent and two digits.
  private static func origin(_ rest: ArraySlice<UInt8>, limit: Int) -> [UInt8] {
    let rest = rest.prefix { $0 != 0x23 }
    var origin: [UInt8] = rest.first == 0x2F ? [] : [0x2F]
    for byte in rest.prefix(limit) {
      if byte > 0x20, byte != 0x7F {
        origin.append(byte)
      } else {
        let low = byte & 15
        origin += [0x25, byte >> 4 &+ 0x30, low &+ (low < 10 ? 0x30 : 0x37)]
      }
    }
    guard rest.count > limit else { return origin }
    // Two long targets that begin alike are still two.
    let hash = KeyedHash.of(Array(rest).span, key: 0)
    for shift in stride(from: UInt64(0), to: 64, by: 4) { origin.append(UInt8(hash >> shift & 15) &+ 0x61) }
    return origin
  }
}
