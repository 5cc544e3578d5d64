import GoldwireBytes

/// Writes frames; masking keys are handed in, since nothing here is random.
public enum WebSocketEncoder {
  /// Appends one frame to `output`, masked if there is a key.
  public static func append(
    _ opcode: WebSocketOpcode, _ payload: Span<UInt8>, isFinal: Bool = true, isCompressed: Bool = false,
    mask: UInt32? = nil, to output: inout [UInt8]
  ) {
    let first = opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    output.append(first)
    let count = payload.count
    if count < 126 {
      output.append(maskBit | UInt8(truncatingIfNeeded: count))
    } else if count < 65_536 {
      output.append(maskBit | 126)
      output.append(UInt8(truncatingIfNeeded: count >> 8))
      output.append(UInt8(truncatingIfNeeded: count))
    } else {
      output.append(maskBit | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        output.append(UInt8(truncatingIfNeeded: count >> shift))
      }
    }
    guard let mask else {
      output.append(payload)
      return
    }
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      output.append(UInt8(truncatingIfNeeded: mask >> shift))
    }
    for index in payload.indices {
      let shift = UInt32(24 &- 8 &* (index & 3))
      output.append(payload[index] ^ UInt8(truncatingIfNeeded: mask >> shift))
    }
  }

  /// Appends a close frame with a code and a reason; without a code it is empty.
  public static func appendClose(
    code: UInt16?, reason: String = "", mask: UInt32? = nil, to output: inout [UInt8]
  ) {
    var body: [UInt8] = []
    if let code {
      body.append(UInt8(truncatingIfNeeded: code >> 8))
      body.append(UInt8(truncatingIfNeeded: code))
      body.append(contentsOf: reason.utf8)
    }
    append(.close, body.span, mask: mask, to: &output)
  }
}
