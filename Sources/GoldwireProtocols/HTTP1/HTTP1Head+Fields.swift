import GoldwireBytes

/// What the lines of list-valued fields add to a head.
extension HTTP1Head {
  /// Adds a `Content-Length`, which may be a list of equal numbers (RFC 9110 section 8.6).
  @inline(never)
  mutating func addLength(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    var isEmpty = true
    while let element = elements.next(bytes) {
      isEmpty = false
      guard case .number(let length) = WholeNumber.read(bytes, element) else {
        lengthFault = lengthFault ?? .httpContentLength
        continue
      }
      if let contentLength, contentLength != length { lengthFault = .httpLength }
      contentLength = contentLength ?? length
    }
    if isEmpty { lengthFault = lengthFault ?? .httpContentLength }
  }

  /// Adds a `Transfer-Encoding`; `identity` is what older senders write for none.
  @inline(never)
  mutating func addTransferCodings(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    while let element = elements.next(bytes) {
      if bytes.equals(folded: "identity", in: element) { continue }
      facts.insert(.transferCoding)
      if bytes.equals(folded: "chunked", in: element) {
        if facts.contains(.namesChunked) { facts.insert(.chunkedTwice) }
        facts.formUnion([.chunked, .namesChunked])
      } else {
        facts.remove(.chunked)
      }
    }
  }

  /// Adds a `Connection`.
  @inline(never)
  mutating func addConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    while let element = elements.next(bytes) {
      if bytes.equals(folded: "close", in: element) { facts.insert(.close) }
      if bytes.equals(folded: "keep-alive", in: element) { facts.insert(.keepAlive) }
      if bytes.equals(folded: "upgrade", in: element) { facts.insert(.upgrade) }
    }
  }

  /// Adds an `Upgrade`.
  @inline(never)
  mutating func addUpgrade(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    while let element = elements.next(bytes) {
      if bytes.equals(folded: "websocket", in: element) {
        facts.insert(.webSocket)
      } else if bytes.equals(folded: "h2c", in: element) {
        facts.insert(.h2c)
      } else {
        facts.insert(.otherUpgrade)
      }
    }
  }

  /// Adds a `Content-Encoding`.
  @inline(never)
  mutating func addCodings(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    while let element = elements.next(bytes) {
      if bytes.equals(folded: "identity", in: element) { continue }
      codings.append(HTTP1Head.coding(bytes, element))
    }
  }

  /// Adds an `Accept`.
  @inline(never)
  mutating func addAccept(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    var elements = ListElements(value)
    while let element = elements.next(bytes) {
      if MediaType.wantsEventStream(bytes, element) { facts.insert(.acceptsEventStream) }
    }
  }

  private static func coding(_ bytes: Span<UInt8>, _ name: Range<Int>) -> HTTPCodings.Coding {
    switch name.count {
    case 4 where bytes.equals(folded: "gzip", in: name): .gzip
    case 6 where bytes.equals(folded: "x-gzip", in: name): .gzip
    case 7 where bytes.equals(folded: "deflate", in: name): .deflate
    case 2 where bytes.equals(folded: "br", in: name): .brotli
    case 4 where bytes.equals(folded: "zstd", in: name): .zstd
    case 8 where bytes.equals(folded: "compress", in: name): .compress
    case 10 where bytes.equals(folded: "x-compress", in: name): .compress
    default: .other
    }
  }
}
