internal import GoldwireTrace

// MARK: - Words

extension Inference {
  /// The settings in words, a line each, with the trace lines behind them; then what to record to know more.
  public func text() -> String {
    let words = Words(trace.header.unit)
    var lines = [
      "\(machine.rawValue) of the client, as the recording tells it, if its timers are at most "
        + "\(words.span(slack)) late:"
    ]
    if !isAtClient {
      lines.append(
        "  not recorded at the client: each length of time holds the way to it and back, which the slack must cover"
      )
    }
    let names = values.map { $0.name + ($0.condition.map { " (\($0))" } ?? "") }
    let wide = names.map(\.count).max() ?? 0
    for (name, value) in zip(names, values) {
      var line =
        "  " + name + String(repeating: " ", count: wide - name.count) + "  " + Self.told(value, words)
      if let taken = value.taken { line += "; taken as \(taken.words)" }
      lines.append(line)
      if let evidence = evidence(value) { lines.append("    " + evidence) }
      if let remark = value.remark, !remark.isEmpty { lines.append("    " + remark) }
      if let record = value.record { lines.append("    to know more, record " + record) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func told(_ value: InferredValue, _ words: Words) -> String {
    switch value.value {
    case .span(let low?, let high?):
      low == high ? words.span(low) : "\(words.span(low)) to \(words.span(high))"
    case .span(let low?, nil): "\(words.span(low)) or longer"
    case .span(nil, let high?): "at most \(words.span(high))"
    case .span(nil, nil), .untold: "cannot be told"
    case .factor(let low, let high): "\(decimal(low)) to \(decimal(high))"
    case .count(let low, let high?): low == high ? "\(low)" : "\(low) to \(high)"
    case .count(let low, nil): "\(low) or more"
    case .words(let names): names.joined(separator: " or ")
    case .numbers(let numbers): numbers.map(String.init).joined(separator: ", ")
    case .flag(let flag): flag ? "yes" : "no"
    }
  }

  /// Two digits behind the point, in every locale.
  static func decimal(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func evidence(_ value: InferredValue) -> String? {
    guard value.observations > 0 else { return nil }
    let numbers = value.lines.map { "\(trace.lineNumber(at: $0))" }
    let some = numbers.prefix(6).joined(separator: ", ") + (numbers.count > 6 ? ", …" : "")
    let place = numbers.isEmpty ? "" : numbers.count == 1 ? " (line \(some))" : " (lines \(some))"
    return "from \(Words.count(value.observations, "observation"))\(place)"
  }
}

// MARK: - JSON

extension Inference {
  /// The settings as JSON Lines, an object each.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values {
      bytes.put("{\"infer\":\"\(machine.rawValue)\",\"parameter\":")
      bytes.append(json: value.name)
      if let condition = value.condition {
        bytes.put(",\"if\":")
        bytes.append(json: condition)
      }
      Self.append(value.value, to: &bytes)
      bytes.put(",\"observations\":\(value.observations),\"lines\":[")
      bytes.put(value.lines.map { "\(trace.lineNumber(at: $0))" }.joined(separator: ","))
      bytes.put("]")
      if let taken = value.taken {
        bytes.put(",\"taken\":")
        bytes.append(json: taken.words)
      }
      for (key, text) in [("remark", value.remark), ("record", value.record)] {
        guard let text, !text.isEmpty else { continue }
        bytes.put(",\"\(key)\":")
        bytes.append(json: text)
      }
      bytes.put("}\n")
    }
    return bytes
  }

  private static func append(_ value: InferredValue.Value, to bytes: inout [UInt8]) {
    switch value {
    case .span(let low, let high):
      if let low { bytes.put(",\"low\":\(low)") }
      if let high { bytes.put(",\"high\":\(high)") }
    case .factor(let low, let high): bytes.put(",\"low\":\(decimal(low)),\"high\":\(decimal(high))")
    case .count(let low, let high):
      bytes.put(",\"low\":\(low)")
      if let high { bytes.put(",\"high\":\(high)") }
    case .words(let names):
      bytes.put(",\"values\":[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    case .numbers(let numbers):
      bytes.put(",\"values\":[" + numbers.map(String.init).joined(separator: ",") + "]")
    case .flag(let flag): bytes.put(",\"value\":\(flag)")
    case .untold: bytes.put(",\"value\":null")
    }
  }
}
