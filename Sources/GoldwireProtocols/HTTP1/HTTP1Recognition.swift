import GoldwireBytes

/// What the first bytes of a direction say about the protocol.
public enum HTTP1Recognition: Equatable, Sendable {
  /// A request starts here.
  case request
  /// A response starts here.
  case response
  /// The preface of HTTP/2 starts here.
  case http2
  /// Neither.
  case neither
  /// More bytes are needed.
  case undecided

  /// The most bytes after which it is decided.
  public static let limit: Int = 8_192

  /// Judges bytes by what they say; leading line ends are skipped.
  ///
  /// A request is told by a method of the registry before a path or an http URL, or by a whole request line.
  public static func judge(_ bytes: Span<UInt8>) -> HTTP1Recognition {
    var start = 0
    while start < bytes.count, bytes[start] == 0x0D || bytes[start] == 0x0A { start &+= 1 }
    guard start < bytes.count else { return start < limit ? .undecided : .neither }
    switch StartLine.literal("HTTP/1.", bytes, from: start) {
    case .yes: return .response
    case .more: return .undecided
    case .no: break
    }
    switch StartLine.literal("PRI * HTTP/2.0\r\n", bytes, from: start) {
    case .yes: return .http2
    case .more: return .undecided
    case .no: return request(bytes, start)
    }
  }

  private static func request(_ bytes: Span<UInt8>, _ start: Int) -> HTTP1Recognition {
    switch StartLine.prefix(bytes, from: start, role: .requests, isStrict: true) {
    case .no: return .neither
    case .more: return .undecided
    case .yes: break
    }
    let rest = bytes.extracting(start..<bytes.count)
    for method: StaticString in ["GET ", "POST ", "HEAD ", "PUT ", "DELETE ", "PATCH ", "OPTIONS "]
    where rest.holds(method, at: 0) {
      let target = method.utf8CodeUnitCount
      if rest.holds("/", at: target) || rest.holds("http", at: target) { return .request }
    }
    guard let lineFeed = rest.firstIndex(of: 0x0A) else {
      return rest.count < limit ? .undecided : .neither
    }
    let end = lineFeed > 0 && rest[lineFeed &- 1] == 0x0D ? lineFeed &- 1 : lineFeed
    return StartLine.isWhole(rest, 0..<end, role: .requests) ? .request : .neither
  }
}
