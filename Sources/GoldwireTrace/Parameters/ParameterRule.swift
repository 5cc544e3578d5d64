/// What a parameter of a machine may be: the same as the machine itself takes.
enum ParameterRule: Sendable {
  /// A positive length of time of at most so many seconds, where there is a bound, or perhaps none.
  case span(seconds: Int? = nil, off: Bool = false)
  case number(ClosedRange<Int>)
  case flag
  case words([ParameterWord])
  case numbers(ClosedRange<Int>)

  /// What is expected, in words.
  var expectation: String {
    switch self {
    case .span(let seconds, let off):
      "a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""
        + (seconds.map { ", of at most \($0)s" } ?? "")
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
    case (.span(let seconds, _), .span(let span)):
      (1...(seconds.map { $0 * 1_000_000 } ?? TraceLimits.number)).contains(span.microseconds)
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

  /// The parameters that have no default.
  public var required: [ParameterName] { self == .heartbeat ? [.interval, .timeout] : [] }

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
    case .interval, .timeout: .span()
    case .connectTimeout: .span(off: true)
    case .policy: .words([.pongOnly, .anyInboundIsLife])
    case .cadence: .words([.afterPong, .fixed])
    default: nil
    }
  }

  private func retryRule(_ name: ParameterName) -> ParameterRule? {
    switch name {
    case .base, .cap: .span(seconds: 2_147_483_647)
    case .jitter: .words([.uncapped, .afterCap, .beforeCap])
    case .factor: .number(1...1_000)
    case .count: .number(0...1_000)
    case .statuses: .numbers(400...599)
    case .transport, .oldDates: .flag
    default: nil
    }
  }

  private func streamRule(_ name: ParameterName) -> ParameterRule? {
    switch name {
    case .delay, .least, .most: .span()
    case .idle: .span(off: true)
    case .dedup: .words([.id, .idAndContent])
    case .window: .number(1...16_777_216)
    case .failures: .number(1...1_000_000)
    case .retryStatuses: .flag
    default: nil
    }
  }
}
