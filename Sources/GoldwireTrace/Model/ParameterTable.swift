/// The machines whose parameters a header, a golden, a set or an option can name.
public enum MachineName: String, CaseIterable, Sendable {
  case heartbeat, retry, stream

  /// The family of the channels that drive this machine.
  public var family: Channel.Family {
    switch self {
    case .heartbeat: .ws
    case .retry: .http
    case .stream: .sse
    }
  }
}

/// A parameter that a machine has; the closed list of names over all machines, in the order in which they are written.
public enum ParameterName: String, CaseIterable, Sendable {
  case interval, timeout, connectTimeout, policy, cadence
  case base, factor, cap, jitter, count, statuses, transport, oldDates
  case delay, least, most, idle, dedup, window, failures, retryStatuses
}

/// A parameter's value.
public enum ParameterValue: Equatable, Sendable {
  /// A length of time, written as a string with a suffix.
  case span(TimeSpan)
  /// A whole number.
  case number(Int)
  /// A yes or no.
  case flag(Bool)
  /// A word of a closed set.
  case word(ParameterWord)
  /// A list of whole numbers.
  case numbers([Int])
}

/// The words that a parameter can have.
public enum ParameterWord: String, CaseIterable, Sendable {
  case pongOnly, anyInboundIsLife
  case afterPong, fixed
  case uncapped, afterCap, beforeCap
  case id, idAndContent
  case off
}

/// The parameters of some machines: what a header's `inForce`, a set, and a golden's `parameters` hold.
public struct ParameterTable: Equatable, Sendable {
  /// The values by machine and name.
  public var values: [MachineName: [ParameterName: ParameterValue]]

  /// Makes a table.
  public init(_ values: [MachineName: [ParameterName: ParameterValue]] = [:]) { self.values = values }

  /// One machine's values.
  public subscript(machine: MachineName) -> [ParameterName: ParameterValue]? {
    get { values[machine] }
    set { values[machine] = newValue }
  }
}
