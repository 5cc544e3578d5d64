internal import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTestSupport
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// One script for requests on real sockets: who is refused how often, and when the server is not there at all.
///
/// It is played in true time, since a Retry-After says whole seconds; the waits are some tenths of one.
struct RequestScript: Sendable {
  /// A kind of trouble.
  enum Family: String, CaseIterable, Sendable {
    /// Requests are refused by 429 or 503 so many times.
    case refusals
    /// Refusals say for how long.
    case retryAfter
    /// Connections are refused for a while.
    case outages
  }

  /// What the server answers to one attempt.
  struct Answer: Sendable {
    var status: Int
    /// Whole seconds.
    var retryAfter: Int?
    /// In microseconds.
    var delay: Int
  }

  /// What is done to the client's parameters.
  struct Change: Sendable {
    var words: String
    var factor = 100
    var count = 3
  }

  /// How long a session takes, and the least time between two beginnings of requests.
  static let horizon = 14_000_000
  private static let apart = 300_000

  let family: Family
  let seed: Int
  private let half: Half
  /// When each request is made, and what its attempts get; the last repeats.
  private(set) var requests: [(start: Int, answers: [Answer])] = []
  /// When connections are refused.
  private(set) var outages: [Range<Int>] = []

  init(_ family: Family, _ half: Half, seed: Int) {
    (self.family, self.half, self.seed) = (family, half, seed)
    let index = Family.allCases.firstIndex(of: family) ?? 0
    var random = SeededGenerator(seed: UInt64(seed) &* 1_000_003 &+ UInt64(index))
    func within(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    if family == .outages {
      let start = within(300_000...800_000)
      outages = [start..<start + within(400_000...3_000_000)]
    }
    for number in 1...6 {
      let refusals = family == .outages ? 0 : within(0...5)
      var answers = (0..<refusals).map { _ in
        Answer(
          status: within(0...1) == 0 ? 429 : 503,
          retryAfter: family == .retryAfter && within(0...2) > 0 ? within(1...2) : nil,
          delay: within(2_000...40_000))
      }
      answers.append(Answer(status: 200, retryAfter: nil, delay: within(2_000...40_000)))
      requests.append((number * Self.apart, answers))
    }
  }

  /// The changes that are asked.
  var changes: [Change] {
    half == .develop
      ? [Change(words: "base ×0.5", factor: 50), Change(words: "count 1", count: 1)]
      : [Change(words: "base ×2", factor: 200), Change(words: "count 6", count: 6)]
  }

  /// The client's parameters, before a change or after it.
  func parameters(_ change: Change?) throws -> MachineParameters {
    let base = (half == .develop ? 2_000 : 3_000) * (change?.factor ?? 100)
    return try MachineParameters(
      .retry,
      [
        .base: .span(TimeSpan(microseconds: base)), .cap: .span(TimeSpan(microseconds: 5_000_000)),
        .count: .number(change?.count ?? 3), .transport: .flag(true),
      ])
  }

  /// The random unit of the wait after an attempt: the same in every run.
  func unit(_ request: Int, after attempt: Int) -> Int {
    var random = SeededGenerator(seed: UInt64(seed * 10_000 + request * 100 + attempt))
    return Int.random(in: 0...1_000_000, using: &random)
  }

  /// The script for the fault server.
  func served() throws -> GoldwireServer.FaultScript {
    let rules = requests.enumerated().map { number, request in
      let answers = request.answers.map { answer in
        let patience = answer.retryAfter.map { #","retryAfter":\#($0)"# } ?? ""
        return #"{"status":\#(answer.status),"after":"\#(answer.delay)us"\#(patience)}"#
      }
      return #"{"path":"/jobs/\#(number)","http":[\#(answers.joined(separator: ","))]}"#
    }
    let restarts = outages.map { #"{"at":"\#($0.lowerBound)us","for":"\#($0.count)us"}"# }
    let text =
      #"{"script":1,"restarts":[\#(restarts.joined(separator: ","))],"rules":[\#(rules.joined(separator: ","))]}"#
    return try GoldwireServer.FaultScript(json: Array(text.utf8))
  }

  /// What one expects who knows the script.
  func reply(_ request: Int, _ attempt: Int, at sent: Int) -> NaiveRequests.Reply {
    if outages.contains(where: { $0.contains(sent) }) { return .init(after: 500) }
    let answers = requests[request].answers
    let answer = answers[min(attempt, answers.count) - 1]
    if let cut = outages.first(where: { $0.lowerBound > sent && $0.lowerBound < sent + answer.delay }) {
      return .init(after: cut.lowerBound - sent)
    }
    return .init(after: answer.delay + 1_000, status: answer.status, retryAfter: answer.retryAfter)
  }
}
