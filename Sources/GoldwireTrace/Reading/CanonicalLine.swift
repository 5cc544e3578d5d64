/// The fields of a canonical line, each taken from the front of the bytes.
struct CanonicalFields: FieldSource {
  /// Whether all went well so far; if not, the other path reads the line, or says what is wrong.
  var isGood = true

  @inline(__always)
  mutating func optionalWhole(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ range: ClosedRange<Int>
  ) -> Int? {
    bytes.eat(unquoted: key) ? good(bytes.number(in: range)) ?? 0 : nil
  }

  @inline(__always)
  mutating func optionalSigned(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    bytes.eat(unquoted: key) ? good(bytes.signedNumber()) ?? 0 : nil
  }

  @inline(__always)
  mutating func optionalFlag(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Bool? {
    guard bytes.eat(unquoted: key) else { return nil }
    if bytes.eat("true") { return true }
    if !bytes.eat("false") { isGood = false }
    return false
  }

  @inline(__always)
  mutating func optionalWord<W: Word>(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ type: W.Type
  ) -> W? {
    bytes.eat(key.text) ? good(W.read(&bytes)) : nil
  }

  @inline(__always)
  mutating func optionalPseudonym(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    guard bytes.eat(key.text) else { return nil }
    let isID = key != .key
    return good(bytes.pseudonym(isID ? "e" : "k", emptyAllowed: isID))
  }

  @inline(__always)
  mutating func optionalStream(_ bytes: inout Span<UInt8>) -> Int? {
    guard bytes.eat(",\"sse\":\"") else { return nil }
    guard let channel = good(bytes.channel()) else { return nil }
    if channel.family != .sse { isGood = false }
    return channel.number
  }

  mutating func optionalRule(_ bytes: inout Span<UInt8>) -> RuleName? {
    bytes.eat(",\"rule\":\"") ? good(bytes.rule()) : nil
  }

  @inline(__always)
  mutating func differences(_ bytes: inout Span<UInt8>) -> Differences {
    guard bytes.eat(",\"differs\":[") else { return [] }
    if bytes.eat("\"key\"]") { return .key }
    if bytes.eat("\"body\"]") { return .body }
    if !bytes.eat("\"key\",\"body\"]") { isGood = false }
    return [.key, .body]
  }

  @inline(never)
  mutating func optionalCounts(_ bytes: inout Span<UInt8>) -> Counts? {
    guard bytes.eat(",\"counts\":{\"packets\":") else { return nil }
    var counts = Counts()
    counts.packets = good(bytes.number(in: Bounds.whole)) ?? 0
    counts.ignored = sum(&bytes, ",\"ignored\":", in: Bounds.whole)
    counts.notIP = sum(&bytes, ",\"notIP\":")
    counts.notTCP = sum(&bytes, ",\"notTCP\":")
    counts.cut = sum(&bytes, ",\"cut\":")
    counts.damaged = sum(&bytes, ",\"damaged\":")
    counts.badFragment = sum(&bytes, ",\"badFragment\":")
    counts.ciphered = sum(&bytes, ",\"ciphered\":")
    counts.nested = sum(&bytes, ",\"nested\":")
    counts.linkType = sum(&bytes, ",\"linkType\":")
    counts.datagrams = sum(&bytes, ",\"datagrams\":")
    counts.connections = sum(&bytes, ",\"connections\":")
    counts.gaps = sum(&bytes, ",\"gaps\":")
    counts.opaque = sum(&bytes, ",\"opaque\":")
    counts.undecodable = sum(&bytes, ",\"undecodable\":")
    counts.dropped = sum(&bytes, ",\"dropped\":", in: Bounds.whole)
    if !bytes.eat("}") { isGood = false }
    return counts
  }

  private mutating func sum(
    _ bytes: inout Span<UInt8>, _ key: StaticString, in range: ClosedRange<Int> = Bounds.sum
  ) -> Int { bytes.eat(key) ? good(bytes.number(in: range)) ?? 0 : 0 }

  @inline(__always)
  mutating func miss(_ key: EventKey) { isGood = false }

  @inline(__always)
  private mutating func good<Value>(_ value: Value?) -> Value? {
    if value == nil { isGood = false }
    return value
  }
}

extension TraceLine {
  /// Reads a whole line as the writer makes it; nil for any other, good or bad.
  init?(canonical line: Span<UInt8>) {
    self.init()
    if line.isEmpty || read(canonical: line) != line.count { return nil }
  }

  /// A line to read into.
  init() { self.init(t: 0, event: .recTick) }

  /// Reads a line as the writer makes it from the front of `bytes`, and gives its bytes up to and with the
  /// closing brace.
  ///
  /// It gives 0 for any other line, good or bad, and then this one is of no use. The line is filled in place,
  /// since a copy of it costs as much as reading two of its fields.
  @inline(__always)
  mutating func read(canonical line: Span<UInt8>) -> Int {
    var bytes = line
    guard readPlace(&bytes), let kind = EventKind.read(&bytes),
      kind.scope.accepts(channel, generation)
    else { return 0 }
    var fields = CanonicalFields()
    fields.readEvent(&bytes, kind, into: &event)
    guard fields.isGood, bytes.eat("}") else { return 0 }
    return line.count &- bytes.count
  }

  /// Reads what stands before the event's name.
  @inline(__always)
  private mutating func readPlace(_ bytes: inout Span<UInt8>) -> Bool {
    guard bytes.eat("{\"t\":"), let t = bytes.number(in: Bounds.whole) else { return false }
    self.t = t
    channel = nil
    generation = nil
    if bytes.eat(EventKey.ch.text) {
      channel = bytes.channel()
      guard channel != nil else { return false }
    }
    if bytes.eat(unquoted: .gen) {
      generation = bytes.number(in: Bounds.ordinal)
      guard generation != nil else { return false }
    }
    return bytes.eat(EventKey.ev.text)
  }
}
