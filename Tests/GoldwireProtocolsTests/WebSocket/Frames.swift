import GoldwireProtocols

/// Frames for tests, put together by the package's encoder, or by hand where they must be wrong.
enum Frames {
  static func frame(
    _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false,
    mask: UInt32? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketEncoder.append(
      opcode, payload.span, isFinal: isFinal, isCompressed: isCompressed, mask: mask, to: &bytes)
    return bytes
  }

  static func text(_ text: String, isFinal: Bool = true, mask: UInt32? = nil) -> [UInt8] {
    frame(.text, Array(text.utf8), isFinal: isFinal, mask: mask)
  }

  static func rest(_ text: String, isFinal: Bool = true, mask: UInt32? = nil) -> [UInt8] {
    frame(.continuation, Array(text.utf8), isFinal: isFinal, mask: mask)
  }

  static func ping(_ payload: String, mask: UInt32? = nil) -> [UInt8] {
    frame(.ping, Array(payload.utf8), mask: mask)
  }

  static func close(_ code: UInt16?, _ reason: String = "", mask: UInt32? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    WebSocketEncoder.appendClose(code: code, reason: reason, mask: mask, to: &bytes)
    return bytes
  }
}
