public import GoldwireProtocols

/// How long a server asked to wait, settled once, at the receipt of its response.
public enum ServerDelay: Equatable, Sendable {
  /// The server asked for nothing.
  case absent
  /// A wait of so many microseconds, 0 for a date that is past.
  case delay(microseconds: Int)
  /// A value that says nothing, and why; `over` is a wait longer than any number.
  case invalid(RetryAfter.Reason)

  /// The longest delay whose end is told, in seconds.
  public static let longest = 2_147_483_647

  /// Settles what a response said.
  ///
  /// A date counts from the response's own `Date` where it has one and no `Age`, else from the local
  /// wall clock at receipt. Without the obsolete forms, a date in one of them is invalid.
  public init(_ answer: Answer, oldDates: Bool = true) {
    switch answer.retryAfter {
    case .absent:
      self = .absent
    case .invalid(let reason):
      self = .invalid(reason)
    case .seconds(let seconds):
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
      self = overflow || product > UInt64(Int.max) ? .invalid(.over) : .delay(microseconds: Int(product))
    case .date(let instant, let form):
      guard oldDates || form == .imf else {
        self = .invalid(.other)
        return
      }
      self = ServerDelay.until(instant, answer)
    }
  }

  private static func until(_ instant: Int, _ answer: Answer) -> ServerDelay {
    let goal = microseconds(instant)
    let base: Int
    if let date = answer.date, answer.age == nil {
      base = microseconds(date)
    } else if let wall = answer.wall {
      base = wall
    } else {
      return .invalid(.other)
    }
    guard goal > base else { return .delay(microseconds: 0) }
    let (delay, overflow) = goal.subtractingReportingOverflow(base)
    return overflow ? .invalid(.over) : .delay(microseconds: delay)
  }

  private static func microseconds(_ seconds: Int) -> Int {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? (seconds < 0 ? Int.min : Int.max) : product
  }
}
