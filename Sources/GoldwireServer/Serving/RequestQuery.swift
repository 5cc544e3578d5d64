/// The fields of a query, read as forms write them and as Python's `parse_qs` does.
enum RequestQuery {
  /// The values of a field, in order; those without a value are passed over.
  static func values(_ name: String, in query: String) -> [String] {
    query.utf8.split(separator: 0x26).compactMap { field in
      guard let equals = field.firstIndex(of: 0x3D) else { return nil }
      let value = field[field.index(after: equals)...]
      guard !value.isEmpty, decode(field[..<equals]) == name else { return nil }
      return decode(value)
    }
  }

  private static func decode(_ text: Substring.UTF8View) -> String {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x25, index + 1 < bytes.count, let high = digit(bytes[index]),
        let low = digit(bytes[index + 1])
      {
        decoded.append(high << 4 | low)
        index += 2
      } else {
        decoded.append(byte == 0x2B ? 0x20 : byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
