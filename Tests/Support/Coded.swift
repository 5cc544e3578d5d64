/// Content codings that leave the bytes as they are, one stored block each; checksums at the end are left out.
public enum Coded {
  /// gzip.
  public static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + stored(bytes)
  }

  /// What HTTP calls deflate: zlib's wrapping.
  public static func deflate(_ bytes: [UInt8]) -> [UInt8] { [0x78, 0x01] + stored(bytes) }

  /// deflate from servers that leave the wrapping out.
  public static func bareDeflate(_ bytes: [UInt8]) -> [UInt8] { stored(bytes) }

  /// Brotli: a meta-block that is not compressed, and an empty last one.
  public static func brotli(_ bytes: [UInt8]) -> [UInt8] {
    let head = UInt32(bytes.count - 1) << 4 | 1 << 20
    return (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + bytes + [3]
  }

  /// Zstandard: a frame of one raw block.
  public static func zstd(_ bytes: [UInt8]) -> [UInt8] { zstdFrame(block: 0, size: bytes.count, bytes) }

  /// Zstandard: a frame of blocks that each repeat one byte 131,072 times.
  public static func zstdBomb(blocks: Int) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58]
    for block in 1...blocks {
      let head = UInt32(131_072) << 3 | 1 << 1 | (block == blocks ? 1 : 0)
      frame += (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + [0x0A]
    }
    return frame
  }

  private static func zstdFrame(block: UInt32, size: Int, _ bytes: [UInt8]) -> [UInt8] {
    let head = UInt32(size) << 3 | block << 1 | 1
    return [0x28, 0xB5, 0x2F, 0xFD, 0, 0x58] + (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) }
      + bytes
  }

  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    return [1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + bytes
  }
}
