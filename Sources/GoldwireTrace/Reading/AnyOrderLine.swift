extension LineFields: FieldSource {
  mutating func optionalWhole(
    _ key: EventKey, _ range: ClosedRange<Int>
  ) throws(TraceError) -> Int? {
    guard let value = take(key) else { return nil }
    guard value.shape == .whole, range.contains(value.number) else {
      throw wrong(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value.number
  }

  mutating func optionalSigned(_ key: EventKey) throws(TraceError) -> Int? {
    try optionalWhole(key, Bounds.signed)
  }

  mutating func optionalFlag(_ key: EventKey) throws(TraceError) -> Bool? {
    guard let value = take(key) else { return nil }
    switch value.shape {
    case .yes: return true
    case .no: return false
    default: throw wrong(key, value, "true or false")
    }
  }

  mutating func optionalWord<W: Word>(_ key: EventKey, _ type: W.Type) throws(TraceError) -> W? {
    guard let value = take(key) else { return nil }
    if let word = value.whole({ (bytes: inout Span<UInt8>) in W.read(&bytes) }) { return word }
    throw wrong(key, value, wordList(W.self))
  }

  mutating func optionalPseudonym(_ key: EventKey) throws(TraceError) -> Int? {
    guard let value = take(key) else { return nil }
    let isID = key != .key
    let number = value.whole { (bytes: inout Span<UInt8>) in
      bytes.pseudonym(isID ? "e" : "k", emptyAllowed: isID)
    }
    if let number { return number }
    throw wrong(key, value, isID ? "a pseudonym as \"e1\", or \"\"" : "a pseudonym as \"k1\"")
  }

  mutating func optionalStream() throws(TraceError) -> Int? {
    guard let value = take(.sse) else { return nil }
    let channel = value.whole { (bytes: inout Span<UInt8>) in bytes.channel() }
    if let channel, channel.family == .sse { return channel.number }
    throw wrong(.sse, value, "an event stream's channel as \"sse1\"")
  }

  mutating func optionalRule() throws(TraceError) -> RuleName? {
    guard let value = take(.rule) else { return nil }
    if let rule = value.whole({ (bytes: inout Span<UInt8>) in bytes.rule() }) { return rule }
    throw wrong(.rule, value, "an RFC and its section as \"rfc6455-5.5\"")
  }

  mutating func differences() throws(TraceError) -> Differences {
    guard let value = take(.differs) else { return [] }
    guard value.shape == .list else { throw wrong(.differs, value, "an array of \"key\" and \"body\"") }
    return Differences(rawValue: UInt8(truncatingIfNeeded: value.number))
  }

  mutating func optionalCounts() throws(TraceError) -> Counts? {
    guard let value = take(.counts) else { return nil }
    guard value.shape == .object else { throw wrong(.counts, value, "an object of whole numbers") }
    var counts = Counts()
    guard let packets = try optionalWhole(.countPackets, Bounds.whole) else {
      throw TraceError(line: line, column: value.column, "expected the key \"packets\" in \"counts\"")
    }
    counts.packets = packets
    counts.ignored = try optionalWhole(.countIgnored, Bounds.whole) ?? 0
    counts.connections = try optionalWhole(.countConnections, Bounds.whole) ?? 0
    counts.gaps = try optionalWhole(.countGaps, Bounds.whole) ?? 0
    counts.opaque = try optionalWhole(.countOpaque, Bounds.whole) ?? 0
    counts.undecodable = try optionalWhole(.countUndecodable, Bounds.whole) ?? 0
    counts.dropped = try optionalWhole(.countDropped, Bounds.whole) ?? 0
    return counts
  }

  func missing(_ key: EventKey) -> TraceError {
    TraceError(line: line, column: 1, "expected the key \"\(key.name)\"")
  }

  private mutating func take(_ key: EventKey) -> Value? {
    asked |= key.bit
    return self[key]
  }

  func wrong(_ key: EventKey, _ value: Value, _ expectation: String) -> TraceError {
    TraceError(line: line, column: value.column, "expected for \"\(key.name)\" \(expectation)")
  }
}

extension LineFields.Value {
  /// What `read` makes of the text, if that takes all of it.
  func whole<Result>(_ read: (inout Span<UInt8>) -> Result?) -> Result? {
    guard shape == .text else { return nil }
    var bytes = text.span.extracting(0..<count + 1)
    guard let result = read(&bytes), bytes.isEmpty else { return nil }
    return result
  }
}

extension LineFields {
  /// The line that the fields make; nil for an event that this version does not know.
  mutating func traceLine() throws(TraceError) -> TraceLine? {
    asked = EventKey.t.bit | EventKey.ch.bit | EventKey.gen.bit | EventKey.ev.bit
    guard let instant = try optionalWhole(.t, Bounds.whole) else { throw missing(.t) }
    guard let name = self[.ev] else { throw missing(.ev) }
    guard name.shape == .text || name.shape == .longText else { throw wrong(.ev, name, "a string") }
    guard let kind = name.whole({ (bytes: inout Span<UInt8>) in EventKind.read(&bytes) }) else {
      return nil
    }
    var channel: Channel?
    if let value = self[.ch] {
      channel = value.whole { (bytes: inout Span<UInt8>) in bytes.channel() }
      if channel == nil { throw wrong(.ch, value, "a channel as \"ws1\", \"http1\" or \"sse1\"") }
    }
    let generation = try optionalWhole(.gen, Bounds.ordinal)
    try check(kind, channel, generation)
    return TraceLine(t: instant, channel: channel, generation: generation, event: try event(kind))
  }

  /// Throws where channel and generation are not as the event wants them.
  private func check(
    _ kind: EventKind, _ channel: Channel?, _ generation: Int?
  ) throws(TraceError) {
    let scope = kind.scope
    if scope.accepts(channel, generation) { return }
    if let channel, let value = self[.ch] {
      if scope.channel == .absent { throw wrong(.ch, value, "nothing: \"\(kind.rawValue)\" has no channel") }
      if let family = scope.family, family != channel.family {
        throw wrong(.ch, value, "a channel as \"\(family.rawValue)1\"")
      }
    } else if scope.channel == .required {
      throw missing(.ch)
    }
    if generation == nil { throw missing(.gen) }
    let column = self[.gen]?.column ?? 1
    throw TraceError(line: line, column: column, "expected no \"gen\" without a channel")
  }
}
