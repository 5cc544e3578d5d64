extension [UInt8] {
  /// Appends a JSON string with what JSON obliges to escape escaped, and nothing else.
  public mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x0A: append(contentsOf: "\\n".utf8)
      case 0x0D: append(contentsOf: "\\r".utf8)
      case 0x09: append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        append(contentsOf: "\\u00".utf8)
        append(contentsOf: [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x57) })
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
