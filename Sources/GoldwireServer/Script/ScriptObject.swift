internal import GoldwireTrace

/// An object of a script whose keys are a closed list.
struct ScriptObject {
  private let value: JSONValue
  /// How times are scaled, in millionths.
  let scale: Int

  /// Takes an object; a key that is not in the list is an error that names the nearest one that is.
  init(_ value: JSONValue, _ keys: [String], scale: Int) throws(TraceError) {
    for member in try value.members() where !keys.contains(member.key) {
      throw TraceError(
        line: member.line, column: member.column, "expected one of the keys " + keys.joined(separator: ", "))
    }
    self.value = value
    self.scale = scale
  }

  /// The value of a key.
  subscript(key: String) -> JSONValue? { value[key] }

  /// An error at the object's place.
  func error(_ message: String) -> TraceError { value.error(message) }

  /// A whole number.
  func whole(_ key: String, in range: ClosedRange<Int>) throws(TraceError) -> Int? {
    guard let found = value[key] else { return nil }
    return try found.whole(in: range)
  }

  func bool(_ key: String) throws(TraceError) -> Bool? {
    guard let found = value[key] else { return nil }
    return try found.bool()
  }

  func text(_ key: String) throws(TraceError) -> String? {
    guard let found = value[key] else { return nil }
    let text = try found.string()
    guard text.utf8.count <= ScriptLimits.text else {
      throw found.error("expected at most \(ScriptLimits.text) bytes")
    }
    return text
  }

  func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, _ type: Word.Type = Word.self
  ) throws(TraceError) -> Word? where Word.RawValue == String {
    guard let found = value[key] else { return nil }
    return try found.word()
  }

  /// A length of time in microseconds, scaled and rounded up.
  func span(_ key: String) throws(TraceError) -> Int? {
    guard let found = value[key] else { return nil }
    let span = try found.timeSpan().microseconds
    let (whole, isOver) = span.multipliedReportingOverflow(by: scale)
    guard !isOver, whole <= Int.max - 1_000_000 else { throw found.error("expected a shorter time") }
    return (whole + 999_999) / 1_000_000
  }

  /// A delay: a time, and with it a jitter.
  func delay(_ key: String = "after", jitter: String = "jitter") throws(TraceError) -> Delay {
    Delay(base: try span(key) ?? 0, jitter: try span(jitter) ?? 0)
  }

  /// A list whose elements are read by `read`; a single value stands for a list of one.
  func list<Element>(
    _ key: String, _ read: (JSONValue) throws(TraceError) -> Element
  ) throws(TraceError) -> [Element] {
    guard let found = value[key] else { return [] }
    var values = [found]
    if case .array(let elements) = found.content { values = elements }
    guard values.count <= ScriptLimits.elements else {
      throw found.error("expected at most \(ScriptLimits.elements) elements")
    }
    var elements: [Element] = []
    for value in values { elements.append(try read(value)) }
    return elements
  }
}
