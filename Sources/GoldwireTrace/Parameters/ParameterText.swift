extension ParameterTable {
  /// Reads the parameters of some machines: `{"heartbeat":{"interval":"30s"}}`.
  ///
  /// Throws for machines, names and values that are not of the format, naming key and expectation.
  public init(_ json: JSONValue) throws(TraceError) {
    self.init()
    for member in try json.members() {
      guard let machine = MachineName(rawValue: member.key) else {
        throw TraceError(
          line: member.line, column: member.column, "expected a machine: " + wordList(MachineName.self))
      }
      values[machine] = try Self(member.value, of: machine).values[machine]
    }
  }

  /// Reads the parameters of one machine: `{"interval":"30s"}`.
  public init(_ json: JSONValue, of machine: MachineName) throws(TraceError) {
    var table: [ParameterName: ParameterValue] = [:]
    for member in try json.members() {
      guard let name = ParameterName(rawValue: member.key), let rule = machine.rule(for: name) else {
        throw TraceError(
          line: member.line, column: member.column, "expected " + machine.parameterList)
      }
      guard let value = rule.value(member.value), rule.accepts(value) else {
        throw member.value.error("expected for \"\(name.rawValue)\" \(rule.expectation)")
      }
      table[name] = value
    }
    self.init([machine: table])
  }

  /// Adds an option's `machine.key=value`, as `heartbeat.interval=30s`; several may stand with commas between.
  ///
  /// A list is written with commas too: `retry.statuses=429,503`. Throws for what is not of the format, naming
  /// the key and the expectation, and for a key that stands twice; then nothing is changed.
  public mutating func set(option text: String) throws(TraceError) {
    var added = ParameterTable()
    for setting in Self.settings(text) { try added.add(setting) }
    for (machine, table) in added.values {
      values[machine, default: [:]].merge(table) { _, new in new }
    }
  }

  /// The settings of an option: a piece without an equals sign belongs to the list before it.
  private static func settings(_ text: String) -> [String] {
    var settings: [String] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      if !settings.isEmpty, !piece.contains("=") {
        settings[settings.count - 1] += "," + piece
      } else {
        settings.append(String(piece))
      }
    }
    return settings
  }

  private mutating func add(_ setting: String) throws(TraceError) {
    guard let equals = setting.firstIndex(of: "="), let dot = setting[..<equals].firstIndex(of: ".") else {
      throw TraceError("expected machine.key=value, as heartbeat.interval=30s")
    }
    guard let machine = MachineName(rawValue: String(setting[..<dot])) else {
      throw TraceError("expected a machine before the dot: " + wordList(MachineName.self))
    }
    let key = String(setting[setting.index(after: dot)..<equals])
    guard let name = ParameterName(rawValue: key), let rule = machine.rule(for: name) else {
      throw TraceError("expected " + machine.parameterList)
    }
    let value = rule.value(setting[setting.index(after: equals)...])
    guard let value, rule.accepts(value) else {
      throw TraceError("expected for \(machine.rawValue).\(name.rawValue) \(rule.expectation)")
    }
    let old = values[machine, default: [:]].updateValue(value, forKey: name)
    if old != nil { throw TraceError("\(machine.rawValue).\(name.rawValue) is given twice; keep one") }
  }
}

extension ParameterRule {
  /// The value that JSON has, if it is of the rule's kind.
  fileprivate func value(_ json: JSONValue) -> ParameterValue? {
    switch (self, json.content) {
    case (.span, .string(let text)), (.words, .string(let text)): worded(text)
    case (.number, .whole(let number)): .number(number)
    case (.flag, .bool(let flag)): .flag(flag)
    case (.numbers, .array(let elements)):
      .numbers(elements.map { if case .whole(let number) = $0.content { number } else { -1 } })
    default: nil
    }
  }

  /// The value that an option's text has, if it is of the rule's kind.
  fileprivate func value(_ text: Substring) -> ParameterValue? {
    switch self {
    case .span, .words: worded(String(text))
    case .number: digits(text).map { .number($0) }
    case .flag: text == "true" ? .flag(true) : text == "false" ? .flag(false) : nil
    case .numbers:
      text.isEmpty
        ? .numbers([])
        : .numbers(text.split(separator: ",", omittingEmptySubsequences: false).map { digits($0) ?? -1 })
    }
  }

  private func worded(_ text: String) -> ParameterValue? {
    if let word = ParameterWord(rawValue: text) { return .word(word) }
    return TimeSpan(text).map { .span($0) }
  }

  private func digits(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
  }
}

extension MachineName {
  /// The machine's parameters as an error names them.
  fileprivate var parameterList: String {
    "a parameter of \(rawValue): " + parameters.map(\.rawValue).joined(separator: ", ")
  }
}
