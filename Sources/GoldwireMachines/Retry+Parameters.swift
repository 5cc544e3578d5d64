internal import GoldwireProtocols

extension Retry {
  /// Where the random part of a local delay stands against the cap; the raw value is the word that files use.
  public enum Jitter: String, Sendable, CaseIterable {
    /// A local delay is not held at the cap: one that is longer, is deferred.
    case uncapped
    /// The full delay is held at the cap, and then made random.
    case afterCap
    /// The delay is made random, and then held at the cap: clients that failed together come back together.
    case beforeCap
  }

  /// What retries are set to; spans are in the machine's unit.
  public struct Parameters: Equatable, Sendable {
    /// The unit of all instants and spans.
    public let unit: TimeUnit
    /// The longest local delay before the first retry.
    public let base: Int
    /// What each further local delay is multiplied by.
    public let factor: Double
    /// The longest wait; a longer one is deferred.
    public let cap: Int
    /// Whether, and where, local delays are held at the cap.
    public let jitter: Jitter
    /// The number of retries: at most one send more than that.
    public let count: Int
    /// The statuses that are retried.
    public let statuses: [Int]
    /// Transport errors are retried too.
    public let transport: Bool
    /// The two obsolete forms of dates are read.
    public let oldDates: Bool

    /// Makes parameters; the defaults are 1 s, doubled, at most 30 s, three times, for 429 and 503.
    ///
    /// `base` and `cap` are in `unit`. Throws a ``ParameterError`` for what makes no sense.
    public init(
      unit: TimeUnit, base: Int? = nil, factor: Double = 2, cap: Int? = nil, jitter: Jitter = .uncapped,
      count: Int = 3, statuses: [Int] = [429, 503], transport: Bool = false, oldDates: Bool = true
    ) throws(ParameterError) {
      self.unit = unit
      self.base = base ?? unit.perSecond
      self.factor = factor
      self.cap = cap ?? 30 * unit.perSecond
      self.jitter = jitter
      self.count = count
      self.statuses = statuses
      self.transport = transport
      self.oldDates = oldDates
      try check()
    }

    /// The default parameters in a unit.
    public static func standard(_ unit: TimeUnit) -> Parameters { Parameters(trusted: unit) }

    private init(trusted unit: TimeUnit) {
      self.unit = unit
      base = unit.perSecond
      factor = 2
      cap = 30 * unit.perSecond
      jitter = .uncapped
      count = 3
      statuses = [429, 503]
      transport = false
      oldDates = true
    }

    private func check() throws(ParameterError) {
      let longest = ServerDelay.longest * unit.perSecond
      if !(1...longest).contains(base) {
        throw ParameterError(name: "retry.base", rule: "positive and at most 2147483647 s")
      }
      if !(factor.isFinite && factor >= 1) {
        throw ParameterError(name: "retry.factor", rule: "a number of at least 1")
      }
      if !(1...longest).contains(cap) {
        throw ParameterError(name: "retry.cap", rule: "positive and at most 2147483647 s")
      }
      if !(0...1_000).contains(count) { throw ParameterError(name: "retry.count", rule: "0 to 1000") }
      if !statuses.allSatisfy((400...599).contains) {
        throw ParameterError(name: "retry.statuses", rule: "statuses from 400 to 599")
      }
    }
  }
}

// MARK: - Delays

extension Retry.Parameters {
  /// The local delay before the retry of this index, in the machine's unit, not rounded.
  ///
  /// `millionths` is the random unit. Plain multiplications, so every platform gives the same number.
  public func localDelay(retryIndex: Int, millionths: Int) -> Double {
    let part = Double(1_000_000 + min(max(millionths, 0), 1_000_000))
    let delay = longestDelay(retryIndex: retryIndex) * part / 2_000_000
    return jitter == .beforeCap ? min(delay, Double(cap)) : delay
  }

  /// What a local delay is a random part of, in the machine's unit.
  public func longestDelay(retryIndex: Int) -> Double {
    var delay = Double(base)
    var index = 0
    while index < retryIndex, delay.isFinite {
      delay *= factor
      index += 1
    }
    return jitter == .afterCap ? min(delay, Double(cap)) : delay
  }

  /// The wait before the retry of this index; nil past the count or the cap.
  ///
  /// The larger of the local and the server's delay, rounded up. The cap is a whole number of units, so
  /// testing after the server's delay was rounded up is the same as before.
  public func pause(retryIndex: Int, server: ServerDelay, millionths: Int) -> Int? {
    guard retryIndex < count, server != .invalid(.over) else { return nil }
    let asked = units(of: server)
    let local = localDelay(retryIndex: retryIndex, millionths: millionths)
    guard asked <= cap, local <= Double(cap) else { return nil }
    return max(asked, Int(local.rounded(.up)))
  }

  /// How long nothing may be sent, whatever the cap; nil where it is longer than can be told.
  public func fullDelay(retryIndex: Int, server: ServerDelay, millionths: Int) -> Int? {
    guard server != .invalid(.over) else { return nil }
    let longest = ServerDelay.longest * unit.perSecond
    let asked = units(of: server)
    let local = localDelay(retryIndex: retryIndex, millionths: millionths)
    guard asked <= longest, local <= Double(longest) else { return nil }
    return max(asked, Int(local.rounded(.up)))
  }

  private func units(of server: ServerDelay) -> Int {
    guard case .delay(let microseconds) = server else { return 0 }
    return unit.roundingUp(microseconds: microseconds)
  }
}
