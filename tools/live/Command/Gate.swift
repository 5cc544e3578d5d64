import GoldwireReplay
import GoldwireTap
import GoldwireTrace
import LiveScenarios

/// `live-check gate`: what drivers really did against what a replay of their own trace says they should have done.
struct Gate {
  private let seeds: Int
  private let first: Int
  private let families: [LiveFamily]
  private let jobs: Int
  private let words: LiveWords
  private let watch = StallWatch()

  init(_ words: LiveWords) throws {
    self.words = words
    families = try words.families()
    seeds = try words.number("seeds", 17)
    first = try words.number("first", 1)
    jobs = max(1, try words.number("jobs", 24))
  }

  func run() async throws {
    let lease = try words.folder()
    let folder = lease.path
    var scenarios = families.flatMap { family in
      (first..<first + seeds).map { LiveScenario(family, seed: UInt64($0)) }
    }[...]
    var sums: [LiveFamily: Sum] = [:]
    let begin = TapInstant.now
    let watching = Task { await watch.run() }
    defer { watching.cancel() }
    try await withThrowingTaskGroup(of: (LiveFamily, Sum).self) { group in
      for _ in 0..<jobs {
        if let scenario = scenarios.popFirst() { group.addTask { try await judge(scenario, folder) } }
      }
      while let (family, sum) = try await group.next() {
        sums[family, default: Sum()].add(sum)
        if let scenario = scenarios.popFirst() { group.addTask { try await judge(scenario, folder) } }
      }
    }
    withExtendedLifetime(lease) { report(sums) }
    let stall = watch.worst(since: begin) / 1_000
    if stall > 0 {
      LiveCheck.say("This process stood still for up to \(stall)ms, and timers were given as much.")
    }
    let faults = sums.values.reduce(0) { $0 + $1.faults.count }
    if faults > 0 { throw LiveCheck.Failure("\(faults) sessions went otherwise than their traces say") }
  }

  private struct Sum {
    var sessions = 0
    var acts = 0
    var lines = 0
    var lateness: [Int] = []
    var faults: [String] = []

    mutating func add(_ other: Sum) {
      sessions += other.sessions
      acts += other.acts
      lines += other.lines
      lateness += other.lateness
      faults += other.faults
    }
  }

  private func judge(_ scenario: LiveScenario, _ folder: String) async throws -> (LiveFamily, Sum) {
    let name = "\(scenario.family.rawValue) \(scenario.seed)"
    let begin = TapInstant.now
    let session: LiveSession
    do {
      session = try await LiveSession.run(scenario, in: folder)
    } catch {
      return (scenario.family, Sum(sessions: 1, faults: ["\(name): \(error)"]))
    }
    let slack = TimeSpan(microseconds: 250_000 + watch.worst(since: begin))
    let conformance = try session.conformance(slack: slack)
    var sum = Sum(sessions: 1, acts: conformance.acts, lines: session.trace.lines.count)
    sum.lateness = [conformance.worstLateness].compactMap(\.self)
    if !conformance.departures.isEmpty || !conformance.neverInStep.isEmpty {
      sum.faults.append(name + ": " + conformance.text())
    }
    if scenario.family == .calm, try !noticesAnotherInterval(session) {
      sum.faults.append(name + ": another interval went unnoticed, so that nothing is compared")
    }
    if !session.faults.isEmpty { sum.faults.append(name + ": " + session.faults.joined(separator: "; ")) }
    return (scenario.family, sum)
  }

  /// Held to an interval that its driver did not have, a session must depart.
  private func noticesAnotherInterval(_ session: LiveSession) throws -> Bool {
    var values = session.trace.header.inForce?[.heartbeat] ?? [:]
    values[.interval] = .span(TimeSpan(microseconds: 900_000))
    return try !Conformance(session.trace, MachineParameters(.heartbeat, values)).departures.isEmpty
  }

  private func report(_ sums: [LiveFamily: Sum]) {
    LiveCheck.say("family            sessions   lines  judged  latest timer  faults")
    var all = Sum()
    for family in families {
      guard let sum = sums[family] else { continue }
      LiveCheck.say(line(family.rawValue, sum))
      all.add(sum)
    }
    LiveCheck.say(line("all", all))
    for fault in all.faults { LiveCheck.say(fault) }
  }

  private func line(_ name: String, _ sum: Sum) -> String {
    func right(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: " ", count: max(1, width - text.count)) + text
    }
    let worst = (sum.lateness.max() ?? 0) / 1_000
    return name + String(repeating: " ", count: max(1, 17 - name.count)) + right(sum.sessions, 9)
      + right(sum.lines, 8) + right(sum.acts, 8) + right(worst, 12) + "ms" + right(sum.faults.count, 8)
  }
}
