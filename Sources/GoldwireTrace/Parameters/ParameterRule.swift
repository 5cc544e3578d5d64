/// What a parameter of a machine may be.
enum ParameterRule: Sendable {
  case span(positive: Bool, off: Bool)
  case number(ClosedRange<Int>)
  case flag
  case words([ParameterWord])
  case numbers(ClosedRange<Int>)

  /// What is expected, in words.
  var expectation: String {
    switch self {
    case .span(let positive, let off):
      "a \(positive ? "positive " : "")duration with a suffix, as \"250ms\", \"30s\" or \"2m\""
        + (off ? ", or \"off\"" : "")
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .words(let words): words.map { "\"" + $0.rawValue + "\"" }.joined(separator: " or ")
    case .numbers(let range):
      "whole numbers from \(range.lowerBound) to \(range.upperBound), each once"
    }
  }

  /// Whether a value is as the rule wants it.
  func accepts(_ value: ParameterValue) -> Bool {
    switch (self, value) {
    case (.span(let positive, _), .span(let span)):
      span.microseconds >= (positive ? 1 : 0) && span.microseconds <= TraceLimits.number
    case (.span(_, let off), .word(.off)): off
    case (.number(let range), .number(let number)): range.contains(number)
    case (.flag, .flag): true
    case (.words(let words), .word(let word)): words.contains(word)
    case (.numbers(let range), .numbers(let numbers)):
      numbers.count <= range.count && numbers.allSatisfy(range.contains)
        && Set(numbers).count == numbers.count
    default: false
    }
  }
}

extension MachineName {
  /// The machine's parameters, in the order in which they are written.
  public var parameters: [ParameterName] { ParameterName.allCases.filter { rule(for: $0) != nil } }

  /// Whether the machine has this parameter, and it may have this value.
  public func accepts(_ value: ParameterValue, for name: ParameterName) -> Bool {
    rule(for: name)?.accepts(value) ?? false
  }

  /// What this parameter may be, or nil where the machine has none of this name.
  func rule(for name: ParameterName) -> ParameterRule? {
    switch self {
    case .heartbeat: heartbeatRule(name)
    case .retry: retryRule(name)
    case .stream: streamRule(name)
    }
  }

  private func heartbeatRule(_ name: ParameterName) -> ParameterRule? {
    switch name {
    case .interval, .timeout: .span(positive: true, off: false)
    case .connectTimeout: .span(positive: true, off: true)
    case .policy: .words([.pongOnly, .anyInboundIsLife])
    case .cadence: .words([.afterPong, .fixed])
    default: nil
    }
  }

  private func retryRule(_ name: ParameterName) -> ParameterRule? {
    switch name {
    case .base, .cap: .span(positive: false, off: false)
    case .factor: .number(1...1_000)
    case .count: .number(0...1_000)
    case .statuses: .numbers(Bounds.status)
    case .transport, .oldDates: .flag
    default: nil
    }
  }

  private func streamRule(_ name: ParameterName) -> ParameterRule? {
    switch name {
    case .delay, .least, .most: .span(positive: false, off: false)
    case .idle: .span(positive: true, off: true)
    case .dedup: .words([.id, .idAndContent])
    case .window: .number(1...1_000_000_000)
    case .failures: .number(1...1_000_000)
    case .retryStatuses: .flag
    default: nil
    }
  }
}
