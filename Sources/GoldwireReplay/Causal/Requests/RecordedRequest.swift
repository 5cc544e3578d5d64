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
  /// What the refusals of the recording's requests hang on, where they tell it together.
  var refusals: Refusals?

  /// What refusals hang on.
  enum Refusals {
    /// On the number of a request's attempts, or on the request itself.
    case number
    /// On the instant.
    case instant
  }

  /// How it ended; nil where the recording ends before it.
  var outcome: ReplayedAction? { actions.last { $0.line.action == .stop } }
}

extension [RecordedRequest] {
  /// What refusals that are answers hang on, as far as requests tell together; nil where they do not.
  ///
  /// Where one was answered between two refusals of another, the server was there, and went by the request. Where requests
  /// that were refused differently often were all refused before one instant, and all answered after it, it was back then.
  func refusals(_ statuses: [Int]) -> RecordedRequest.Refusals? {
    let answered = flatMap { $0.answered(statuses) { !$0 } }.sorted()
    var (counts, last, back): (Set<Int>, Int, Int) = ([], .min, .max)
    for request in self {
      let refused = request.answered(statuses) { $0 }
      guard let first = refused.first, let end = refused.last else { continue }
      var (low, high) = (0, answered.count)
      while low < high {
        let middle = (low + high) / 2
        if answered[middle] <= first { low = middle + 1 } else { high = middle }
      }
      if low < answered.count, answered[low] < end { return .number }
      guard let answer = request.answered(statuses, { !$0 }).first else { continue }
      counts.insert(refused.count)
      (last, back) = (Swift.max(last, end), Swift.min(back, answer))
    }
    return counts.count > 1 && last < back ? .instant : nil
  }
}

extension RecordedRequest {
  /// When attempts were sent that were answered, by a refusal or not.
  fileprivate func answered(_ statuses: [Int], _ isWanted: (_ isRefusal: Bool) -> Bool) -> [Int] {
    attempts.filter { attempt in
      guard let event = attempt.reply?.event, event.answer != nil else { return false }
      return isWanted(event.isRefusal(statuses))
    }.map(\.sent)
  }
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
