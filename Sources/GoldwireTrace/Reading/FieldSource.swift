/// Where an event's fields come from: a canonical line in front of a cursor, or a line that was taken apart.
///
/// One builder of events is written over it, so that both paths read the same format by construction. An
/// optional field is nil where its key is absent; a value that does not fit its key is thrown.
protocol FieldSource: ~Escapable {
  associatedtype Failure: Error

  mutating func optionalWhole(_ key: EventKey, _ range: ClosedRange<Int>) throws(Failure) -> Int?
  mutating func optionalSigned(_ key: EventKey) throws(Failure) -> Int?
  mutating func optionalFlag(_ key: EventKey) throws(Failure) -> Bool?
  mutating func optionalWord<W: Word>(_ key: EventKey, _ type: W.Type) throws(Failure) -> W?
  mutating func optionalPseudonym(_ key: EventKey) throws(Failure) -> Int?
  mutating func optionalStream() throws(Failure) -> Int?
  mutating func optionalRule() throws(Failure) -> RuleName?
  mutating func differences() throws(Failure) -> Differences
  mutating func optionalCounts() throws(Failure) -> Counts?
  /// What is thrown where a required key is absent.
  func missing(_ key: EventKey) -> Failure
}

extension FieldSource where Self: ~Escapable {
  @inline(__always)
  mutating func whole(
    _ key: EventKey, _ range: ClosedRange<Int> = Bounds.whole
  ) throws(Failure) -> Int {
    guard let value = try optionalWhole(key, range) else { throw missing(key) }
    return value
  }

  @inline(__always)
  mutating func word<W: Word>(_ key: EventKey, _ type: W.Type = W.self) throws(Failure) -> W {
    guard let value = try optionalWord(key, type) else { throw missing(key) }
    return value
  }

  @inline(__always)
  mutating func flag(_ key: EventKey) throws(Failure) -> Bool {
    guard let value = try optionalFlag(key) else { throw missing(key) }
    return value
  }

  @inline(__always)
  mutating func pseudonym(_ key: EventKey) throws(Failure) -> Int {
    guard let value = try optionalPseudonym(key) else { throw missing(key) }
    return value
  }

  @inline(__always)
  mutating func retry() throws(Failure) -> RetryFields {
    var fields = RetryFields()
    if let seconds = try optionalWhole(.retryAfter, Bounds.int31) {
      fields.value = .after(seconds)
    } else if let seconds = try optionalSigned(.retryAt) {
      fields.value = .at(seconds)
    } else if let fault = try optionalWord(.retryBad, RetryFault.self) {
      fields.value = .bad(fault)
    }
    fields.form = try optionalWord(.retryForm, RetryForm.self)
    fields.date = try optionalSigned(.date)
    fields.age = try optionalWhole(.age, Bounds.whole)
    return fields
  }
}
