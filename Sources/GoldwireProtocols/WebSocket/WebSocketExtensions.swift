import GoldwireBytes

/// What `Sec-WebSocket-Extensions` says, over all its lines.
public struct WebSocketExtensions: Equatable, Sendable {
  /// The first well-formed permessage-deflate, if any.
  public private(set) var deflate: PermessageDeflate?
  /// The number of well-formed permessage-deflate elements: an offer may have several, an answer one.
  public private(set) var deflateCount: Int = 0
  /// The number of other extensions.
  public private(set) var others: Int = 0
  /// The rule that a malformed extension broke.
  public private(set) var broken: ProtocolRule?

  /// Makes the value for a head without the field.
  public init() {}

  /// Makes the value of an agreement on permessage-deflate, or on nothing.
  public init(deflate: PermessageDeflate?) {
    self.deflate = deflate
    deflateCount = deflate == nil ? 0 : 1
  }

  /// Adds one line's value (RFC 6455 section 9.1, RFC 7692 section 7.1).
  public mutating func add(_ value: Span<UInt8>) {
    var elements = ListElements(0..<value.count)
    while let element = elements.next(value) {
      var parts = ListElements(element)
      guard let name = parts.next(value, separator: 0x3B) else { continue }
      guard value.equals(folded: "permessage-deflate", in: name) else {
        others = others.addingClamped(1)
        continue
      }
      guard let found = PermessageDeflate.read(value, &parts) else {
        broken = .wsDeflateParameters
        continue
      }
      deflateCount = deflateCount.addingClamped(1)
      deflate = deflate ?? found
    }
  }

  /// The rule that a server's answer breaks, given what the client offered; nil if it may stand.
  public func broken(asAnswerTo offer: WebSocketExtensions) -> ProtocolRule? {
    if let broken { return broken }
    if deflateCount > 1 { return .wsDeflateParameters }
    if others > offer.others || (deflate != nil && offer.deflate == nil) { return .wsHandshake }
    if deflate?.clientWindowBits != nil, offer.deflateCount == 1, offer.deflate?.clientWindowBits == nil {
      return .wsDeflateParameters
    }
    return nil
  }
}

extension PermessageDeflate {
  /// Reads the parameters; nil if one is unknown, repeated, or out of range.
  static func read(_ bytes: Span<UInt8>, _ parts: inout ListElements) -> PermessageDeflate? {
    var result = PermessageDeflate()
    var seen: UInt8 = 0
    while let part = parts.next(bytes, separator: 0x3B) {
      var sides = ListElements(part)
      guard let name = sides.next(bytes, separator: 0x3D) else { return nil }
      var value = sides.next(bytes, separator: 0x3D)
      if let quoted = value, quoted.count >= 2, bytes[quoted.lowerBound] == 0x22,
        bytes[quoted.upperBound &- 1] == 0x22
      {
        value = (quoted.lowerBound &+ 1)..<(quoted.upperBound &- 1)
      }
      let bit: UInt8
      if bytes.equals(folded: "server_no_context_takeover", in: name), value == nil {
        bit = 1
        result.serverNoContextTakeover = true
      } else if bytes.equals(folded: "client_no_context_takeover", in: name), value == nil {
        bit = 2
        result.clientNoContextTakeover = true
      } else if bytes.equals(folded: "server_max_window_bits", in: name), let value,
        let bits = windowBits(bytes, value)
      {
        bit = 4
        result.serverWindowBits = bits
      } else if bytes.equals(folded: "client_max_window_bits", in: name) {
        bit = 8
        guard let bits = value.map({ windowBits(bytes, $0) }) ?? 0 else { return nil }
        result.clientWindowBits = bits
      } else {
        return nil
      }
      guard seen & bit == 0 else { return nil }
      seen |= bit
    }
    return result
  }

  private static func windowBits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty, bytes[range.lowerBound] != 0x30,
      case .number(let bits) = WholeNumber.read(bytes, range)
    else { return nil }
    return bits >= 8 && bits <= 15 ? bits : nil
  }
}
