package import GoldwireMachines
public import GoldwireProtocols

/// The head of a reply: its status and its fields, in the order in which they came.
public struct ReplyHead: Sendable {
  /// The status code.
  public var status: Int
  /// Names and values; a name may stand several times.
  public var fields: [(name: String, value: String)]

  /// Makes a head.
  public init(status: Int, fields: [(name: String, value: String)] = []) {
    self.status = status
    self.fields = fields
  }

  /// The value of the first field of that name, whatever its letters' case.
  public subscript(name: String) -> String? {
    fields.first { Self.isEqual($0.name, name) }?.value
  }
}

// MARK: - What machines decide by

extension ReplyHead {
  /// The body is an event stream: `text/event-stream`, whatever its parameters.
  public var isEventStream: Bool {
    guard let type = self["Content-Type"] else { return false }
    return EventStreamParser.isMediaType(Array(type.utf8).span)
  }

  /// What `Retry-After` says.
  ///
  /// `now` is the time of receipt in seconds since 1970; only two-digit years depend on it. Lines that say the same are one;
  /// lines that differ are invalid, also where a transport has joined them to one value.
  public func retryAfter(now: Int) -> RetryAfter {
    var reading = RetryAfter.absent
    for field in fields where Self.isEqual(field.name, "Retry-After") {
      for value in Self.unfolded(field.value) {
        reading = reading.joined(with: RetryAfter.read(value, now: now))
      }
    }
    return reading
  }

  /// The reply's own `Date`, in seconds since 1970.
  public var date: Int? {
    guard let value = self["Date"], case .date(let date) = HTTPDate.read(value, now: 0) else { return nil }
    return date.form == .rfc850 ? nil : date.seconds
  }

  /// The reply's `Age`, in seconds; a reply with one comes from a cache.
  public var age: Int? {
    guard let value = self["Age"] else { return nil }
    let digits = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
    return digits.isEmpty ? nil : Int(Substring(digits)) ?? Int.max
  }

  /// What a machine decides by; `wall` is the local clock at receipt, in µs since 1970, `unit` the random unit in millionths.
  package func answer(wall: Int, unit: Int) -> Answer {
    Answer(
      status: status, retryAfter: retryAfter(now: wall / 1_000_000), date: date, age: age, wall: wall,
      unit: unit)
  }

  /// A value that a transport has joined from equal lines is one line again; all else is left as it is.
  private static func unfolded(_ value: String) -> [String] {
    let bytes = Array(value.utf8)
    for separator in [", ", ","] {
      let rest = bytes.count - separator.utf8.count
      guard rest >= 2, rest % 2 == 0 else { continue }
      let half = bytes[..<(rest / 2)]
      guard bytes[half.count...].starts(with: separator.utf8), bytes.suffix(rest / 2) == half else {
        continue
      }
      return [String(decoding: half, as: UTF8.self)]
    }
    return [value]
  }

  private static func isEqual(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}
