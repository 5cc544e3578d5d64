internal import GoldwireBytes

extension [UInt8] {
  /// Appends the canonical bytes of one event, with its line feed.
  ///
  /// Numbers outside the format's range are written as the nearest in it.
  public mutating func append(_ line: TraceLine) {
    append(addingCapacity: 768) { out in out.put(line) }
  }
}

/// One line by hand: keys in the order of the format's tables, without blanks.
extension OutputSpan where Element == UInt8 {
  mutating func put(_ line: TraceLine) {
    put("{\"t\":")
    put(min(max(line.t, 0), TraceLimits.number))
    if let channel = line.channel, line.generation == 1 {
      // Nearly all lines.
      putKey(channel.family)
      put(min(max(channel.number, 1), TraceLimits.number))
      put("\",\"gen\":1,\"ev\":\"")
    } else {
      if let channel = line.channel {
        put(EventKey.ch.text)
        put(channel)
        append(0x22)
      }
      whole(.gen, line.generation, Bounds.ordinal)
      put(EventKey.ev.text)
    }
    put(line.event)
    put("}\n")
  }

  /// The key of a channel, and the family's name.
  @inline(__always)
  private mutating func putKey(_ family: Channel.Family) {
    switch family {
    case .ws: put(",\"ch\":\"ws")
    case .http: put(",\"ch\":\"http")
    case .sse: put(",\"ch\":\"sse")
    case .tls: put(",\"ch\":\"tls")
    case .tcp: put(",\"ch\":\"tcp")
    }
  }

  @inline(__always)
  mutating func put(_ channel: Channel) {
    switch channel.family {
    case .ws: put("ws")
    case .http: put("http")
    case .sse: put("sse")
    case .tls: put("tls")
    case .tcp: put("tcp")
    }
    put(min(max(channel.number, 1), TraceLimits.number))
  }

  /// The key of a value that is no text.
  @inline(__always)
  mutating func put(unquoted key: EventKey) { put(key.text, droppingLast: 1) }

  @inline(__always)
  mutating func whole(_ key: EventKey, _ number: Int?, _ range: ClosedRange<Int> = Bounds.whole) {
    guard let number else { return }
    put(unquoted: key)
    put(min(max(number, range.lowerBound), range.upperBound))
  }

  /// A number that is left out where it is outside its range: a status, a close code.
  @inline(__always)
  mutating func within(_ key: EventKey, _ number: Int?, _ range: ClosedRange<Int>) {
    guard let number, range.contains(number) else { return }
    put(unquoted: key)
    put(number)
  }

  @inline(__always)
  mutating func signed(_ key: EventKey, _ number: Int?) {
    guard let number else { return }
    put(unquoted: key)
    put(min(max(number, -TraceLimits.number), TraceLimits.number))
  }

  @inline(__always)
  mutating func flag(_ key: EventKey, _ value: Bool?) {
    guard let value else { return }
    put(unquoted: key)
    put(value ? "true" : "false")
  }

  @inline(__always)
  mutating func word(_ key: EventKey, _ word: (some Word)?) {
    guard let word else { return }
    put(key.text)
    put(word.text)
  }

  /// A pseudonym: `e1`, `k1`; of event ids 0 is the empty id.
  @inline(__always)
  mutating func pseudonym(_ key: EventKey, _ letter: UInt8, _ number: Int?) {
    guard let number else { return }
    put(key.text)
    if number > 0 || letter != UInt8(ascii: "e") {
      append(letter)
      put(min(max(number, 1), TraceLimits.number))
    }
    append(0x22)
  }

  @inline(__always)
  mutating func retry(_ retry: RetryFields) {
    switch retry.value {
    case .none: break
    case .after(let seconds): whole(.retryAfter, seconds, Bounds.int31)
    case .at(let seconds): signed(.retryAt, seconds)
    case .bad(let fault): word(.retryBad, fault)
    }
    word(.retryForm, retry.form)
    signed(.date, retry.date)
    whole(.age, retry.age)
  }
}
