extension EventStream {
  /// What an event stream is set to; spans are in the machine's unit.
  public struct Parameters: Equatable, Sendable {
    /// The unit of all instants and spans.
    public let unit: TimeUnit
    /// The delay before connecting again, until the server sets another.
    public let delay: Int
    /// The shortest delay that a server can set.
    public let least: Int
    /// The longest delay that a server can set.
    public let most: Int
    /// The silence after which an open connection is given up; nil for no limit.
    public let idle: Int?
    /// What counts as an event that came before.
    public let dedup: Deduplication
    /// The number of ids that are remembered.
    public let window: Int
    /// The failure of one event's handler at which the stream stops.
    public let failures: Int
    /// The answers 429 and 503 are waited out by the rules of ``Retry``.
    public let retryStatuses: Bool

    /// Makes parameters; the defaults are 3 s, held between 100 ms and 60 s, and 5 failures.
    ///
    /// Spans are in `unit`. Throws a ``ParameterError`` for what makes no sense.
    public init(
      unit: TimeUnit, delay: Int? = nil, least: Int? = nil, most: Int? = nil, idle: Int? = nil,
      dedup: Deduplication = .id, window: Int = 65_536, failures: Int = 5, retryStatuses: Bool = false
    ) throws(ParameterError) {
      self.unit = unit
      self.delay = delay ?? 3 * unit.perSecond
      self.least = least ?? unit.perSecond / 10
      self.most = most ?? 60 * unit.perSecond
      self.idle = idle
      self.dedup = dedup
      self.window = window
      self.failures = failures
      self.retryStatuses = retryStatuses
      try check()
    }

    /// The default parameters in a unit.
    public static func standard(_ unit: TimeUnit) -> Parameters { Parameters(trusted: unit) }

    private init(trusted unit: TimeUnit) {
      self.unit = unit
      delay = 3 * unit.perSecond
      least = unit.perSecond / 10
      most = 60 * unit.perSecond
      idle = nil
      dedup = .id
      window = 65_536
      failures = 5
      retryStatuses = false
    }

    private func check() throws(ParameterError) {
      for (name, span) in [("delay", delay), ("least", least), ("idle", idle ?? 1)] where span <= 0 {
        throw ParameterError(name: "stream." + name, rule: "positive")
      }
      if most < least { throw ParameterError(name: "stream.most", rule: "no less than stream.least") }
      if !(1...16_777_216).contains(window) {
        throw ParameterError(name: "stream.window", rule: "1 to 16777216")
      }
      if failures < 1 { throw ParameterError(name: "stream.failures", rule: "positive") }
    }
  }

  /// What counts as an event that came before; a golden names it.
  public enum Deduplication: String, Sendable, CaseIterable {
    /// The same id.
    case id
    /// The same id with the same content.
    case idAndContent
  }
}

extension EventStream.Parameters {
  /// The delay that a `retry` field asks for, held within the limits.
  func delay(retryMilliseconds: Int) -> Int {
    min(max(unit.units(milliseconds: retryMilliseconds), least), most)
  }
}
