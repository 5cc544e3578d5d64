internal import GoldwireReplay
internal import GoldwireServer
internal import GoldwireTestSupport
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// One script for an event stream on real sockets: when it is cut, when the server is not there, when nothing comes.
///
/// It is played in true time, with delays of some tenths of a second.
struct StreamScript: Sendable {
  /// A kind of trouble.
  enum Family: String, CaseIterable, Sendable {
    /// Connections are cut.
    case cuts
    /// Connections are cut, and new ones refused for a while.
    case outages
    /// Nothing comes for a while, and the reader gives up for it.
    case silences
  }

  /// What is done to the reader's parameters, in hundredths.
  struct Change: Sendable {
    var words: String
    var delay = 100
    var idle = 100
  }

  /// How long a session takes.
  static let horizon = 14_000_000
  /// After how long what is lost in a silence is sent again, and what is lost first on a connection, in microseconds.
  private static let timeouts = (later: 250_000, first: 1_000_000)

  let family: Family
  let seed: Int
  private let half: Half
  /// How far apart events are.
  private let every: Int
  /// When the trouble is.
  let troubles: [Range<Int>]

  init(_ family: Family, _ half: Half, seed: Int) {
    (self.family, self.half, self.seed) = (family, half, seed)
    let index = Family.allCases.firstIndex(of: family) ?? 0
    var random = SeededGenerator(seed: UInt64(seed) &* 1_000_033 &+ UInt64(index))
    func within(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    every = within(50_000...300_000)
    var troubles: [Range<Int>] = []
    var t = 500_000
    for _ in 0..<within(1...3) {
      t += within(500_000...2_500_000)
      let length = family == .cuts ? 0 : within(300_000...3_000_000)
      troubles.append(t..<t + length)
      t += length + 500_000
    }
    self.troubles = troubles.filter { $0.upperBound < Self.horizon - 2_000_000 }
  }

  /// The changes that are asked.
  var changes: [Change] {
    guard family == .silences else {
      return half == .develop
        ? [Change(words: "delay ×0.5", delay: 50)] : [Change(words: "delay ×2", delay: 200)]
    }
    return half == .develop
      ? [Change(words: "idle ×0.5", idle: 50)] : [Change(words: "idle ×2", idle: 200)]
  }

  /// The reader's parameters, before a change or after it.
  func parameters(_ change: Change?) throws -> MachineParameters {
    let delay = (half == .develop ? 6_000 : 4_000) * (change?.delay ?? 100)
    let idle = 10_000 * (change?.idle ?? 100)
    return try MachineParameters(
      .stream,
      [
        .delay: .span(TimeSpan(microseconds: delay)),
        .idle: family == .silences ? .span(TimeSpan(microseconds: idle)) : .word(.off),
      ])
  }

  /// The script for the fault server.
  func served() throws -> GoldwireServer.FaultScript {
    let count = Self.horizon / every
    let rule =
      #"{"path":"*","events":{"live":true,"end":"open","generate":"#
      + #"{"count":\#(count),"bytes":30,"every":"\#(every)us"}}}"#
    let waits = #""rto":"\#(Self.timeouts.later)us","syn":"\#(Self.timeouts.first)us""#
    let listed = troubles.map { trouble in
      let (from, until) = (trouble.lowerBound, trouble.upperBound)
      return family == .silences
        ? #"{"hole":true,\#(waits),"from":"\#(from)us","until":"\#(until)us"}"#
        : #"{"at":"\#(from)us","for":"\#(trouble.count)us"}"#
    }
    let key = family == .silences ? "network" : "restarts"
    let text = #"{"script":1,"\#(key)":[\#(listed.joined(separator: ","))],"rules":[\#(rule)]}"#
    return try GoldwireServer.FaultScript(json: Array(text.utf8))
  }

  /// What one expects who knows the script.
  func connection(_ request: NaiveStream.Request) -> NaiveStream.Connection {
    let way = 500
    guard family == .silences || !troubles.contains(where: { $0.contains(request.t) }) else {
      return [(request.t + way, .cut)]
    }
    let arrived = passes(request.t, again: Self.timeouts.first) + way
    // What is sent while something waits comes with it.
    var last = passes(arrived, again: Self.timeouts.first) + way
    var connection: NaiveStream.Connection = [(last, .answered(status: 200, isEventStream: true))]
    let end = family == .silences ? nil : troubles.first { $0.lowerBound > request.t }?.lowerBound
    let count = Self.horizon / every
    for id in request.cursor + 1..<max(count, request.cursor) + 1 {
      let sent = max((id - 1) * every, arrived)
      last = sent <= last ? last : passes(sent, again: Self.timeouts.later) + way
      if let end, last > end { break }
      connection.append((last, .event(id: id, revision: 1)))
    }
    return connection + (end.map { [($0, .cut)] } ?? [])
  }

  /// When what is sent at an instant gets through, if it is sent again after so long, then twice as long, and so on.
  private func passes(_ sent: Int, again timeout: Int) -> Int {
    var (instant, wait) = (sent, timeout)
    while family == .silences, troubles.contains(where: { $0.contains(instant) }) {
      (instant, wait) = (instant + wait, 2 * wait)
    }
    return instant
  }
}
