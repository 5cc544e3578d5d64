/// A line that is not as the writer makes it; the other path reads it, or says what is wrong.
struct NotCanonical: Error {}

extension Span: FieldSource where Element == UInt8 {
  @inline(__always)
  mutating func optionalWhole(
    _ key: EventKey, _ range: ClosedRange<Int>
  ) throws(NotCanonical) -> Int? {
    guard eat(key.text) else { return nil }
    guard let value = number(in: range) else { throw NotCanonical() }
    return value
  }

  mutating func optionalSigned(_ key: EventKey) throws(NotCanonical) -> Int? {
    guard eat(key.text) else { return nil }
    guard let value = signedNumber() else { throw NotCanonical() }
    return value
  }

  @inline(__always)
  mutating func optionalFlag(_ key: EventKey) throws(NotCanonical) -> Bool? {
    guard eat(key.text) else { return nil }
    if eat("true") { return true }
    if eat("false") { return false }
    throw NotCanonical()
  }

  @inline(__always)
  mutating func optionalWord<W: Word>(_ key: EventKey, _ type: W.Type) throws(NotCanonical) -> W? {
    guard eat(key.text) else { return nil }
    guard eat("\""), let word = W.read(&self) else { throw NotCanonical() }
    return word
  }

  mutating func optionalPseudonym(_ key: EventKey) throws(NotCanonical) -> Int? {
    guard eat(key.text) else { return nil }
    let isID = key != .key
    guard eat("\""), let number = pseudonym(isID ? "e" : "k", emptyAllowed: isID) else {
      throw NotCanonical()
    }
    return number
  }

  mutating func optionalStream() throws(NotCanonical) -> Int? {
    guard eat(",\"sse\":\"") else { return nil }
    guard let channel = channel(), channel.family == .sse else { throw NotCanonical() }
    return channel.number
  }

  mutating func optionalRule() throws(NotCanonical) -> RuleName? {
    guard eat(",\"rule\":\"") else { return nil }
    guard let rule = rule() else { throw NotCanonical() }
    return rule
  }

  mutating func differences() throws(NotCanonical) -> Differences {
    guard eat(",\"differs\":[") else { return [] }
    if eat("\"key\"]") { return .key }
    if eat("\"body\"]") { return .body }
    if eat("\"key\",\"body\"]") { return [.key, .body] }
    throw NotCanonical()
  }

  mutating func optionalCounts() throws(NotCanonical) -> Counts? {
    guard eat(",\"counts\":{\"packets\":") else { return nil }
    var counts = Counts()
    guard let packets = number(in: Bounds.whole) else { throw NotCanonical() }
    counts.packets = packets
    counts.ignored = try sum(",\"ignored\":")
    counts.connections = try sum(",\"connections\":")
    counts.gaps = try sum(",\"gaps\":")
    counts.opaque = try sum(",\"opaque\":")
    counts.undecodable = try sum(",\"undecodable\":")
    counts.dropped = try sum(",\"dropped\":")
    guard eat("}") else { throw NotCanonical() }
    return counts
  }

  private mutating func sum(_ key: StaticString) throws(NotCanonical) -> Int {
    guard eat(key) else { return 0 }
    guard let value = number(in: Bounds.whole) else { throw NotCanonical() }
    return value
  }

  func missing(_ key: EventKey) -> NotCanonical { NotCanonical() }
}

extension TraceLine {
  /// Reads a line as the writer makes it; nil for any other, good or bad.
  init?(canonical line: Span<UInt8>) {
    var bytes = line
    guard bytes.eat("{\"t\":"), let t = bytes.number(in: Bounds.whole) else { return nil }
    self.init(t: t, event: .wsConnect)
    if bytes.eat(",\"ch\":\"") {
      guard let name = bytes.channel() else { return nil }
      channel = name
    }
    if bytes.eat(",\"gen\":") {
      guard let number = bytes.number(in: Bounds.ordinal) else { return nil }
      generation = number
    }
    guard bytes.eat(",\"ev\":\""), let kind = EventKind.read(&bytes),
      kind.scope.accepts(channel, generation)
    else { return nil }
    do throws(NotCanonical) { event = try bytes.event(kind) } catch { return nil }
    guard bytes.count == 1, bytes[0] == UInt8(ascii: "}") else { return nil }
  }
}
