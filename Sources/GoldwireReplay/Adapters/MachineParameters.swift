public import GoldwireMachines
public import GoldwireTrace

/// All parameters of one machine, those that nobody named at their defaults: two of equal meaning are equal.
public struct MachineParameters: Equatable, Sendable {
  /// The machine.
  public let machine: MachineName
  /// The value of every parameter that the machine has; `off` where one is off.
  public let values: [ParameterName: ParameterValue]

  /// Completes the values that were named with the defaults.
  ///
  /// Throws where one without a default is missing, or one is of another machine or of another kind.
  public init(_ machine: MachineName, _ named: [ParameterName: ParameterValue]) throws(ReplayError) {
    var values = Self.defaults(machine)
    for name in ParameterName.allCases {
      guard let value = named[name] else { continue }
      guard Self.names(machine).contains(name) else {
        throw ReplayError("\(machine.rawValue) has no parameter \(name.rawValue)")
      }
      if case .numbers(let numbers) = value {
        values[name] = .numbers(numbers.sorted())
      } else {
        values[name] = value
      }
    }
    for name in Self.names(machine) where values[name] == nil {
      throw ReplayError("\(machine.rawValue).\(name.rawValue) is not given and has no default")
    }
    self.machine = machine
    self.values = values
  }

  /// Whether every parameter of the machine has a default.
  public static func hasDefaults(_ machine: MachineName) -> Bool {
    names(machine).allSatisfy { defaults(machine)[$0] != nil }
  }

  /// The parameters of a machine, in the order of the vocabulary.
  public static func names(_ machine: MachineName) -> [ParameterName] {
    switch machine {
    case .heartbeat: [.interval, .timeout, .connectTimeout, .policy, .cadence]
    case .retry: [.base, .factor, .cap, .jitter, .count, .statuses, .transport, .oldDates]
    case .stream: [.delay, .least, .most, .idle, .dedup, .window, .failures, .retryStatuses]
    }
  }

  private static func defaults(_ machine: MachineName) -> [ParameterName: ParameterValue] {
    func seconds(_ count: Int) -> ParameterValue { .span(TimeSpan(microseconds: count * 1_000_000)) }
    switch machine {
    case .heartbeat:
      return [.connectTimeout: .word(.off), .policy: .word(.pongOnly), .cadence: .word(.afterPong)]
    case .retry:
      return [
        .base: seconds(1), .factor: .number(2), .cap: seconds(30), .jitter: .word(.uncapped),
        .count: .number(3), .statuses: .numbers([429, 503]), .transport: .flag(false), .oldDates: .flag(true),
      ]
    case .stream:
      return [
        .delay: seconds(3), .least: .span(TimeSpan(microseconds: 100_000)), .most: seconds(60),
        .idle: .word(.off), .dedup: .word(.id), .window: .number(65_536), .failures: .number(5),
        .retryStatuses: .flag(false),
      ]
    }
  }

  /// What differs from older values, as `heartbeat.interval 30s → 25s`, in the order of the vocabulary.
  public func changes(since old: MachineParameters) -> [String] {
    ParameterName.allCases.compactMap { name in
      guard let before = old.values[name], let after = values[name], before != after else { return nil }
      return "\(machine.rawValue).\(name.rawValue) \(before.words) → \(after.words)"
    }
  }

  /// The values as a report names them: those without a default, and those that differ from it.
  public var words: String {
    let defaults = Self.defaults(machine)
    let named = Self.names(machine).filter { values[$0] != defaults[$0] }
    guard !named.isEmpty else { return "default parameters" }
    return named.map { "\($0.rawValue) \(values[$0]?.words ?? "")" }.joined(separator: ", ")
  }
}

// MARK: - The machines' own parameters

extension MachineParameters {
  /// The heartbeat's, in a trace's unit.
  public func heartbeat(_ unit: Unit) throws(ReplayError) -> Heartbeat.Parameters {
    let connectTimeout = try span(.connectTimeout, unit)
    let policy: Heartbeat.Policy = values[.policy] == .word(.anyInboundIsLife) ? .anyInboundIsLife : .pongOnly
    let cadence: Heartbeat.Cadence = values[.cadence] == .word(.fixed) ? .fixed : .afterPong
    let (interval, timeout) = (try span(.interval, unit) ?? 0, try span(.timeout, unit) ?? 0)
    return try checked { () throws(ParameterError) in
      try Heartbeat.Parameters(
        interval: interval, timeout: timeout, connectTimeout: connectTimeout, policy: policy,
        cadence: cadence)
    }
  }

  /// The retries', in a trace's unit.
  public func retry(_ unit: Unit) throws(ReplayError) -> Retry.Parameters {
    let (base, cap) = (try span(.base, unit), try span(.cap, unit))
    let (factor, count) = (try number(.factor), try number(.count))
    let statuses: [Int] = if case .numbers(let numbers)? = values[.statuses] { numbers } else { [] }
    let (transport, oldDates) = (flag(.transport), flag(.oldDates))
    let jitter: Retry.Jitter = if case .word(let word)? = values[.jitter] { .init(word) } else { .uncapped }
    return try checked { () throws(ParameterError) in
      try Retry.Parameters(
        unit: TimeUnit(unit), base: base, factor: Double(factor), cap: cap, jitter: jitter, count: count,
        statuses: statuses, transport: transport, oldDates: oldDates)
    }
  }

  /// The event stream's, in a trace's unit.
  public func stream(_ unit: Unit) throws(ReplayError) -> EventStream.Parameters {
    let (delay, least, most) = (try span(.delay, unit), try span(.least, unit), try span(.most, unit))
    let (idle, window, failures) = (try span(.idle, unit), try number(.window), try number(.failures))
    let dedup: EventStream.Deduplication = values[.dedup] == .word(.idAndContent) ? .idAndContent : .id
    let retryStatuses = flag(.retryStatuses)
    return try checked { () throws(ParameterError) in
      try EventStream.Parameters(
        unit: TimeUnit(unit), delay: delay, least: least, most: most, idle: idle, dedup: dedup,
        window: window, failures: failures, retryStatuses: retryStatuses)
    }
  }

  private func checked<Value>(_ make: () throws(ParameterError) -> Value) throws(ReplayError) -> Value {
    do { return try make() } catch { throw ReplayError(error.description) }
  }

  private func span(_ name: ParameterName, _ unit: Unit) throws(ReplayError) -> Int? {
    switch values[name] {
    case .span(let span):
      guard let count = span.count(in: unit) else {
        throw ReplayError(
          "\(machine.rawValue).\(name.rawValue) is no whole number of \(unit.rawValue), the trace's unit")
      }
      return count
    case .word(.off), nil: return nil
    default: throw ReplayError("\(machine.rawValue).\(name.rawValue) must be a duration such as 250ms or 30s")
    }
  }

  private func number(_ name: ParameterName) throws(ReplayError) -> Int {
    if case .number(let number)? = values[name] { return number }
    throw ReplayError("\(machine.rawValue).\(name.rawValue) must be a whole number")
  }

  private func flag(_ name: ParameterName) -> Bool { values[name] == .flag(true) }
}

extension Retry.Jitter {
  fileprivate init(_ word: ParameterWord) { self = Retry.Jitter(rawValue: word.rawValue) ?? .uncapped }
}

extension TimeUnit {
  init(_ unit: Unit) {
    switch unit {
    case .us: self = .microseconds
    case .ms: self = .milliseconds
    }
  }
}

extension ParameterValue {
  /// The value as a report names it.
  package var told: String { words }

  /// The value in words.
  var words: String {
    switch self {
    case .span(let span): span.description
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .word(let word): word.rawValue
    case .numbers(let numbers): "[" + numbers.map(String.init).joined(separator: ",") + "]"
    }
  }
}
