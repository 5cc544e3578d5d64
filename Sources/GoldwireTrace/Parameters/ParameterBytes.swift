extension [UInt8] {
  /// Appends the parameters of all machines as a JSON object, in the order of the vocabulary.
  public mutating func append(_ table: ParameterTable) {
    put("{")
    var isFirst = true
    for machine in MachineName.allCases where table[machine] != nil {
      if !isFirst { put(",") }
      isFirst = false
      append(json: machine.rawValue)
      put(":")
      append(table, of: machine)
    }
    put("}")
  }

  /// Appends the parameters of one machine as a JSON object, in the order of the vocabulary.
  public mutating func append(_ table: ParameterTable, of machine: MachineName) {
    put("{")
    var isFirst = true
    for name in ParameterName.allCases {
      guard let value = table[machine]?[name] else { continue }
      if !isFirst { put(",") }
      isFirst = false
      append(json: name.rawValue)
      put(":")
      append(value)
    }
    put("}")
  }

  private mutating func append(_ value: ParameterValue) {
    switch value {
    case .span(let span): append(json: span.description)
    case .number(let number): put(number)
    case .flag(let flag): put(flag ? "true" : "false")
    case .word(let word): append(json: word.rawValue)
    case .numbers(let numbers):
      put("[")
      for (index, number) in numbers.enumerated() {
        if index > 0 { put(",") }
        put(number)
      }
      put("]")
    }
  }
}
