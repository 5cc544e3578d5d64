internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTrace

/// Turns the head of a response, as a trace has it, into what a machine decides by.
struct AnswerClock: Sendable {
  private let wall: Int?
  private let unit: Unit

  init(_ header: TraceHeader) {
    wall = header.wall
    unit = header.unit
  }

  /// The answer; a status that the recorder left out counts as one that nothing retries.
  func answer(_ status: Int?, _ retry: RetryFields, _ t: Int, _ step: Int, unit random: Int) -> Answer {
    Answer(
      status: status ?? 600, retryAfter: RetryAfter(retry), date: retry.date, age: retry.age,
      wall: wallClock(at: t, step), unit: random)
  }

  /// The local wall clock at an instant, in µs since the midnight before the recording.
  private func wallClock(at t: Int, _ step: Int) -> Int? {
    guard let wall else { return nil }
    let factor = unit == .ms ? 1_000 : 1
    let (elapsed, overflow) = t.multipliedReportingOverflow(by: factor)
    return overflow ? nil : Self.sum(Self.sum(wall, elapsed), step)
  }

  /// The sum, held at the type's limits.
  static func sum(_ one: Int, _ two: Int) -> Int {
    let (sum, overflow) = one.addingReportingOverflow(two)
    return overflow ? (two < 0 ? Int.min : Int.max) : sum
  }
}

extension RetryAfter {
  fileprivate init(_ retry: RetryFields) {
    switch retry.value {
    case nil: self = .absent
    case .after(let seconds): self = .seconds(UInt64(max(0, seconds)))
    case .at(let seconds): self = .date(seconds, HTTPDate.Form(retry.form))
    case .bad(let fault): self = .invalid(RetryAfter.Reason(rawValue: fault.rawValue) ?? .other)
    }
  }
}

extension HTTPDate.Form {
  fileprivate init(_ form: RetryForm?) {
    switch form {
    case nil: self = .imf
    case .rfc850: self = .rfc850
    case .asctime: self = .asctime
    }
  }
}
