internal import GoldwireMachines
internal import GoldwireProtocols

/// One reading of a recorded request: what an attempt of any number at any instant would have met.
struct RequestWorld {
  /// What the server's refusals hang on.
  enum Reading: Equatable {
    /// On the instant: it is back from then on.
    case time(back: Int)
    /// On the number of attempts.
    case attempts
    /// On the one or the other, whichever is likelier for each attempt.
    case likely
  }

  /// What becomes of an attempt.
  struct Fate {
    var reply: RecordedRequest.Reply
    /// The recorded attempt that it is taken from.
    var like: Int
    var grade: Grade
  }

  let request: RecordedRequest
  let reading: Reading
  /// The random unit, in millionths, of waits that the recording has none for.
  let unit: Int
  /// How many attempts were refused, when the last of them was sent, and the first that was not refused.
  let refused: Int
  let lastRefused: Int
  let answered: Int?

  init(_ request: RecordedRequest, _ reading: Reading, unit: Int, statuses: [Int]) {
    self.request = request
    self.reading = reading
    self.unit = unit
    (refused, lastRefused, answered) = Self.split(request, statuses)
  }

  /// The refusals at the head, the instant of the last one, and the place of the answer after them.
  private static func split(_ request: RecordedRequest, _ statuses: [Int]) -> (Int, Int, Int?) {
    var (refused, last) = (0, Int.min)
    for (place, attempt) in request.attempts.enumerated() {
      guard let reply = attempt.reply else { break }
      guard reply.event.isRefusal(statuses) else { return (refused, last, place) }
      (refused, last) = (place + 1, attempt.sent)
    }
    return (refused, last, nil)
  }

  /// The readings that a recording leaves open, the likeliest first.
  static func readings(_ request: RecordedRequest, statuses: [Int]) -> [Reading] {
    let (_, last, answered) = split(request, statuses)
    guard let answered else { return [.likely, .time(back: .max), .attempts] }
    let back = request.attempts[answered].sent
    return [.likely, .time(back: back), .time(back: last == .min ? .min : last + 1), .attempts]
  }

  /// What becomes of an attempt; nil where the recording cannot tell at all.
  ///
  /// `earlier` are the instants of the attempts before it.
  func fate(of attempt: Int, at instant: Int, after earlier: [Int]) -> Fate? {
    let isRefused: Bool
    switch reading {
    case .time(let back): isRefused = instant < back
    case .attempts: isRefused = attempt <= refused
    case .likely: isRefused = isLikelyRefused(attempt, instant)
    }
    if isRefused {
      // Beyond the last refusal of a client that gave up nothing is known.
      if answered == nil, reading != .likely, instant > lastRefused || attempt > refused { return nil }
      guard refused > 0 else { return nil }
      let bothAgree = instant <= lastRefused && attempt <= refused
      let isEasier = zip(earlier, request.attempts).allSatisfy { $0 <= $1.sent }
      return fate(like: likeRefused(attempt, instant), bothAgree && isEasier ? .interpolated : .assumed)
    }
    guard let answered else { return nil }
    let bothAgree = instant >= request.attempts[answered].sent && attempt > refused
    let isEasier =
      zip(earlier, request.attempts).allSatisfy { $0 >= $1.sent } && attempt <= request.attempts.count
    return fate(like: answered, bothAgree && isEasier ? .interpolated : .assumed)
  }

  /// Whether an attempt is likelier refused than answered.
  ///
  /// Where the server answered each attempt, their number decides, and where nobody could be reached, or the server said when
  /// to come again, the instant: refused up to the last refusal, answered from the first answer on, and in between the middle
  /// is the guess that is wrong least often. What other requests met tells better than either. Where no attempt was
  /// answered, what either reading has refused is refused.
  private func isLikelyRefused(_ attempt: Int, _ instant: Int) -> Bool {
    guard let answered else { return instant <= lastRefused || attempt <= refused }
    if hangsOnNumber { return attempt <= refused }
    let back = request.attempts[answered].sent
    guard refused > 0, instant > lastRefused, instant < back else { return instant < back }
    return instant - lastRefused < (back - lastRefused) / 2
  }

  private var hangsOnNumber: Bool {
    let answers = request.attempts[..<refused].map { $0.reply?.event.answer }
    guard request.refusals != .instant, answers.allSatisfy({ $0 != nil }) else { return false }
    return request.refusals == .number || answers.allSatisfy { $0?.retryAfter == .absent }
  }

  private func likeRefused(_ attempt: Int, _ instant: Int) -> Int {
    if reading == .attempts || reading == .likely && attempt <= refused { return min(attempt, refused) - 1 }
    return request.attempts[..<refused].lastIndex { $0.sent <= instant } ?? 0
  }

  private func fate(like place: Int, _ grade: Grade) -> Fate? {
    guard let reply = request.attempts[place].reply else { return nil }
    return Fate(reply: reply, like: place, grade: grade)
  }

  /// Whether a Retry-After names an instant, and not a length.
  var isAbsolute: Bool { if case .time = reading { true } else { false } }

  /// The unit of the wait after an attempt, where the recording has none.
  func unit(after attempt: Int, isKnown: Bool) -> Int? {
    isKnown || attempt < request.attempts.count ? nil : unit
  }
}
