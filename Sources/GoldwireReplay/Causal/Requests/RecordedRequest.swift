internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTrace

/// What a trace tells of one logical request.
struct RecordedRequest {
  /// One send of it.
  struct Attempt {
    /// When it was sent, and when the recorded client's machine wanted to send it.
    var sent: Int
    var due: Int
    /// The index of its line.
    var line: Int?
    /// What came of it.
    var reply: Reply?
  }

  /// An answer or a failure.
  struct Reply {
    var at: Int
    var event: Retry.Event
    var line: Int
  }

  /// Something that is kept at its instant: another session, a cancellation, another body.
  struct Happening {
    var t: Int
    var event: Retry.Event
    var line: Int
  }

  let channel: Channel
  let req: Int
  var request: Retry.Request?
  /// When it was sent first.
  var start = 0
  var startLine: Int?
  var attempts: [Attempt] = []
  var happenings: [Happening] = []
  /// The recorded client's actions.
  var actions: [ReplayedAction] = []
  /// A hole in the recording lies in it, or before its first send.
  var hasHole = false

  /// How it ended; nil where the recording ends before it.
  var outcome: ReplayedAction? { actions.last { $0.line.action == .stop } }
}

extension Retry.Event {
  /// The answer, if it is one.
  var answer: Answer? { if case .answered(_, let answer) = self { answer } else { nil } }

  /// Whether it is a refusal: a failure, or a status that is retried.
  func isRefusal(_ statuses: [Int]) -> Bool {
    switch self {
    case .failed: true
    case .answered(_, let answer): statuses.contains(answer.status)
    default: false
    }
  }

  /// The same of another attempt, with another random unit, at an instant that is later by so many microseconds.
  ///
  /// What a server said of an absolute instant stays that instant; otherwise it says the same again.
  func moved(to attempt: Int, unit: Int?, by microseconds: Int, isAbsolute: Bool) -> Retry.Event {
    switch self {
    case .failed(_, var failure):
      if let unit { failure.unit = unit }
      return .failed(attempt, failure)
    case .answered(_, var answer):
      if let unit { answer.unit = unit }
      if isAbsolute { answer.move(by: microseconds) }
      return .answered(attempt, answer)
    default: return self
    }
  }
}

extension Answer {
  /// Says the same instant, so much later.
  fileprivate mutating func move(by microseconds: Int) {
    if let wall { self.wall = AnswerClock.sum(wall, microseconds) }
    if let date { self.date = AnswerClock.sum(date, microseconds / 1_000_000) }
    guard case .seconds(let seconds) = retryAfter, seconds <= 1 << 40 else { return }
    let end = Int(seconds) * 1_000_000 - Swift.min(Swift.max(microseconds, -(1 << 60)), 1 << 60)
    retryAfter = .seconds(UInt64(Swift.max(0, (end + 999_999) / 1_000_000)))
  }
}
