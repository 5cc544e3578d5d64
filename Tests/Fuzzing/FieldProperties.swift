import GoldwireProtocols

/// Values of header fields mean the same with blanks around them, and dates come back as they were.
enum FieldProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let now = 1_700_000_000 &+ input.short() &* 100_000
    let bytes = input.rest
    let value = RetryAfter.read(bytes.span, now: now)
    let padded: [UInt8] = [0x20, 0x09] + bytes + [0x20]
    try hold(RetryAfter.read(padded.span, now: now) == value, "blanks around a value mean nothing")
    try hold(value.joined(with: value) == value, "a value twice is the value once")
    if case .date(let date) = HTTPDate.read(bytes.span, now: now) {
      try hold(abs(date.seconds) < 1 << 40, "a date is a date")
    }
    var extensions = WebSocketExtensions()
    extensions.add(bytes.span)
    let found = extensions.deflateCount + extensions.others
    try hold(found <= bytes.count, "no more extensions than bytes")
    try hold(extensions.deflateCount > 0 || extensions.deflate == nil, "an extension is counted")
    for bits in [extensions.deflate?.serverWindowBits, extensions.deflate?.clientWindowBits] {
      try hold(bits.map { $0 == 0 || (8...15).contains($0) } ?? true, "a window has 8 to 15 bits")
    }
    if extensions.broken == nil, extensions.deflateCount <= 1 {
      let rule = extensions.broken(asAnswerTo: extensions)
      try hold(rule == nil, "an offer may be answered with itself")
    }
  }
}
