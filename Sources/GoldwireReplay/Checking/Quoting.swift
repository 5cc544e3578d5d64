extension String {
  /// The text as a shell takes it for one word.
  var quoted: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
        || [0x2D, 0x2E, 0x2F, 0x5F, 0x2B, 0x3D, 0x2C, 0x40].contains(byte)
    }
    return isPlain && !isEmpty
      ? self
      : "'"
        + split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
