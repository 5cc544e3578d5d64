/// The fields of a line that was taken apart, each looked up by its key.
extension LineFields: FieldSource {
  mutating func optionalWhole(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ range: ClosedRange<Int>
  ) -> Int? {
    guard let value = take(key) else { return nil }
    if value.shape == .whole, range.contains(value.number) { return value.number }
    fail(key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  mutating func optionalSigned(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    optionalWhole(&bytes, key, Bounds.signed)
  }

  mutating func optionalFlag(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Bool? {
    guard let value = take(key) else { return nil }
    if value.shape == .yes { return true }
    if value.shape != .no { fail(key, value, "true or false") }
    return false
  }

  mutating func optionalWord<W: Word>(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ type: W.Type
  ) -> W? {
    guard let value = take(key) else { return nil }
    let word = text(value, bytes) { (text: inout Span<UInt8>) in W.read(&text) }
    if word == nil { fail(key, value, wordList(W.self)) }
    return word
  }

  mutating func optionalPseudonym(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int? {
    guard let value = take(key) else { return nil }
    let isID = key != .key
    let number = text(value, bytes) { (text: inout Span<UInt8>) in
      text.pseudonym(isID ? "e" : "k", emptyAllowed: isID)
    }
    if number == nil {
      fail(key, value, isID ? "a pseudonym as \"e1\", or \"\"" : "a pseudonym as \"k1\"")
    }
    return number
  }

  mutating func optionalStream(_ bytes: inout Span<UInt8>) -> Int? {
    guard let value = take(.sse) else { return nil }
    let channel = text(value, bytes) { (text: inout Span<UInt8>) in text.channel() }
    if let channel, channel.family == .sse { return channel.number }
    fail(.sse, value, "an event stream's channel as \"sse1\"")
    return nil
  }

  mutating func optionalRule(_ bytes: inout Span<UInt8>) -> RuleName? {
    guard let value = take(.rule) else { return nil }
    let rule = text(value, bytes) { (text: inout Span<UInt8>) in text.rule() }
    if rule == nil { fail(.rule, value, "an RFC and its section as \"rfc6455-5.5\"") }
    return rule
  }

  mutating func differences(_ bytes: inout Span<UInt8>) -> Differences {
    guard let value = take(.differs) else { return [] }
    if value.shape != .list { fail(.differs, value, "an array of \"key\" and \"body\"") }
    return Differences(rawValue: UInt8(truncatingIfNeeded: value.number))
  }

  mutating func optionalCounts(_ bytes: inout Span<UInt8>) -> Counts? {
    guard let value = take(.counts) else { return nil }
    if value.shape != .object { fail(.counts, value, "an object of whole numbers") }
    var counts = Counts()
    if let packets = optionalWhole(&bytes, .countPackets, Bounds.whole) {
      counts.packets = packets
    } else {
      fail(
        TraceError(line: line, column: value.column, "expected the key \"packets\" in \"counts\""))
    }
    counts.ignored = optionalWhole(&bytes, .countIgnored, Bounds.whole) ?? 0
    counts.notIP = optionalWhole(&bytes, .countNotIP, Bounds.sum) ?? 0
    counts.notTCP = optionalWhole(&bytes, .countNotTCP, Bounds.sum) ?? 0
    counts.cut = optionalWhole(&bytes, .countCut, Bounds.sum) ?? 0
    counts.damaged = optionalWhole(&bytes, .countDamaged, Bounds.sum) ?? 0
    counts.badFragment = optionalWhole(&bytes, .countBadFragment, Bounds.sum) ?? 0
    counts.ciphered = optionalWhole(&bytes, .countCiphered, Bounds.sum) ?? 0
    counts.nested = optionalWhole(&bytes, .countNested, Bounds.sum) ?? 0
    counts.linkType = optionalWhole(&bytes, .countLinkType, Bounds.sum) ?? 0
    counts.datagrams = optionalWhole(&bytes, .countDatagrams, Bounds.sum) ?? 0
    counts.connections = optionalWhole(&bytes, .countConnections, Bounds.sum) ?? 0
    counts.gaps = optionalWhole(&bytes, .countGaps, Bounds.sum) ?? 0
    counts.opaque = optionalWhole(&bytes, .countOpaque, Bounds.sum) ?? 0
    counts.undecodable = optionalWhole(&bytes, .countUndecodable, Bounds.sum) ?? 0
    counts.dropped = optionalWhole(&bytes, .countDropped, Bounds.whole) ?? 0
    return counts
  }

  @inline(never)
  mutating func miss(_ key: EventKey) {
    fail(TraceError(line: line, column: 1, "expected the key \"\(key.name)\""))
  }

  @inline(__always)
  private mutating func take(_ key: EventKey) -> Value? {
    if key.isOfCounts { askedCounts |= key.bit } else { asked |= key.bit }
    return self[key]
  }

  @inline(never)
  private mutating func fail(_ key: EventKey, _ value: Value, _ expectation: @autoclosure () -> String) {
    fail(
      TraceError(
        line: line, column: value.column, "expected for \"\(key.name)\" \(expectation())"))
  }

  @inline(never)
  private mutating func fail(_ error: TraceError) {
    if failure == nil { failure = error }
  }

  /// What `read` makes of the text, if that takes all of it.
  @inline(__always)
  private func text<Result>(
    _ value: Value, _ line: Span<UInt8>, _ read: (inout Span<UInt8>) -> Result?
  ) -> Result? {
    switch value.shape {
    case .text:
      var bytes = line.extracting(value.text..<value.text + value.number + 1)
      let result = read(&bytes)
      return bytes.isEmpty ? result : nil
    case .decoded:
      var bytes = texts.span.extracting(value.text..<value.text + value.number + 1)
      let result = read(&bytes)
      return bytes.isEmpty ? result : nil
    default: return nil
    }
  }
}

extension LineFields {
  /// The line that the fields make; nil for an event that this version does not know, or after a failure.
  mutating func traceLine(_ line: Span<UInt8>) -> TraceLine? {
    var bytes = line
    asked = EventKey.t.bit | EventKey.ch.bit | EventKey.gen.bit | EventKey.ev.bit
    let instant = whole(&bytes, .t)
    guard let name = self[.ev] else {
      miss(.ev)
      return nil
    }
    guard name.shape == .text || name.shape == .decoded || name.shape == .longText else {
      fail(.ev, name, "a string")
      return nil
    }
    let kind = text(name, line) { (bytes: inout Span<UInt8>) in EventKind.read(&bytes) }
    guard let kind else { return nil }
    var channel: Channel?
    if let value = self[.ch] {
      channel = text(value, line) { (bytes: inout Span<UInt8>) in bytes.channel() }
      if channel == nil { fail(.ch, value, "a channel as \"ws1\", \"http1\" or \"sse1\"") }
    }
    let generation = optionalWhole(&bytes, .gen, Bounds.ordinal)
    if !kind.scope.accepts(channel, generation) { failScope(kind, channel, generation) }
    var read = TraceLine(t: instant, channel: channel, generation: generation, event: .recTick)
    readEvent(&bytes, kind, into: &read.event)
    return failure == nil ? read : nil
  }

  /// Fails since channel and generation are not as the event wants them.
  @inline(never)
  private mutating func failScope(_ kind: EventKind, _ channel: Channel?, _ generation: Int?) {
    let scope = kind.scope
    if let channel, let value = self[.ch] {
      if scope.channel == .absent {
        return fail(.ch, value, "nothing: \"\(kind.rawValue)\" has no channel")
      }
      if let family = scope.family, family != channel.family {
        return fail(.ch, value, "a channel as \"\(family.rawValue)1\"")
      }
    } else if scope.channel == .required {
      return miss(.ch)
    }
    if generation == nil { return miss(.gen) }
    let column = self[.gen]?.column ?? 1
    fail(TraceError(line: line, column: column, "expected no \"gen\" without a channel"))
  }
}
