/// Where an event's fields come from: a canonical line in front of a cursor, or a line that was taken apart.
///
/// One builder of events is written over it, so that both paths read the same format by construction. An
/// optional field is nil where its key is absent. The first value that does not fit its key, or that is
/// absent, makes the source fail; what is built after that is of no use. Nothing is thrown, since the way
/// out of each field would cost more than the field.
protocol FieldSource {
  mutating func optionalWhole(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ range: ClosedRange<Int>
  ) -> Int?
  mutating func optionalSigned(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int?
  mutating func optionalFlag(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Bool?
  mutating func optionalWord<W: Word>(_ bytes: inout Span<UInt8>, _ key: EventKey, _ type: W.Type) -> W?
  mutating func optionalPseudonym(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int?
  mutating func optionalStream(_ bytes: inout Span<UInt8>) -> Int?
  mutating func optionalRule(_ bytes: inout Span<UInt8>) -> RuleName?
  mutating func differences(_ bytes: inout Span<UInt8>) -> Differences
  mutating func optionalCounts(_ bytes: inout Span<UInt8>) -> Counts?
  /// Fails for a required key that is absent.
  mutating func miss(_ key: EventKey)
}

extension FieldSource {
  @inline(__always)
  mutating func whole(
    _ bytes: inout Span<UInt8>, _ key: EventKey, _ range: ClosedRange<Int> = Bounds.whole
  ) -> Int {
    if let value = optionalWhole(&bytes, key, range) { return value }
    miss(key)
    return 0
  }

  @inline(__always)
  mutating func word<W: Word>(_ bytes: inout Span<UInt8>, _ key: EventKey, or fallback: W) -> W {
    if let value = optionalWord(&bytes, key, W.self) { return value }
    miss(key)
    return fallback
  }

  @inline(__always)
  mutating func flag(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Bool {
    if let value = optionalFlag(&bytes, key) { return value }
    miss(key)
    return false
  }

  @inline(__always)
  mutating func pseudonym(_ bytes: inout Span<UInt8>, _ key: EventKey) -> Int {
    if let value = optionalPseudonym(&bytes, key) { return value }
    miss(key)
    return 0
  }

  @inline(__always)
  mutating func retry(_ bytes: inout Span<UInt8>) -> RetryFields {
    var fields = RetryFields()
    if let seconds = optionalWhole(&bytes, .retryAfter, Bounds.int31) {
      fields.value = .after(seconds)
    } else if let seconds = optionalSigned(&bytes, .retryAt) {
      fields.value = .at(seconds)
    } else if let fault = optionalWord(&bytes, .retryBad, RetryFault.self) {
      fields.value = .bad(fault)
    }
    fields.form = optionalWord(&bytes, .retryForm, RetryForm.self)
    fields.date = optionalSigned(&bytes, .date)
    fields.age = optionalWhole(&bytes, .age, Bounds.whole)
    return fields
  }
}
