internal import Foundation
internal import GoldwireReplay
internal import GoldwireTrace
public import ValidationScoring
public import ValidationSimulator

/// The runs in true time with real losses: each session in a network namespace of its own, recorded by tap and by libpcap.
public struct NetworkArm: Sendable {
  /// The families that are worth true time.
  static let families: [FaultFamily] = [.holes, .holesUp, .holesDown, .steps, .loss, .resets, .restarts]
  /// How many sessions run at once for each core: they only wait.
  private static let sessionsPerCore = 12
  /// The first of its seeds in a half.
  private static let first = 1_000

  private let plans: [SessionPlan]
  private let crew: Crew

  /// Draws so many scripts for each family of a half; so many cores may be used.
  public init(_ half: Half, scripts: Int, cores: Int) {
    // A connection lives for a minute or two: intervals and timeouts of some seconds.
    let client = half == .develop ? (interval: 3, timeout: 2) : (interval: 2, timeout: 3)
    let traffics = Traffic.allCases
    plans = Self.families.enumerated().flatMap { place, family in
      (0..<scripts).map { number in
        SessionPlan(
          family: family, seed: half.seed(Self.first + number),
          traffic: traffics[(place + number) % traffics.count], client: client,
          changes: [half.changes[(place + number) % half.changes.count]])
      }
    }
    crew = Crew(cores * Self.sessionsPerCore)
  }

  /// Runs all sessions, and gives the tables of their study.
  ///
  /// Throws ``NetworkUnavailable`` where the system does not permit them.
  public func tables() async throws -> [Table] {
    try check()
    let clock = ContinuousClock()
    let begin = clock.now
    let experiments = try await experiments()
    let took = begin.duration(to: clock.now).components.seconds
    // A capture of several channels is no study of one.
    let scores = experiments.compactMap { try? Score($0) }
    let cells = [plans.count * 4, scores.count, experiments.count - scores.count].map(String.init)
    let run = Table(
      "network-run", ["sessions", "runs predicted", "runs refused", "took", "load at the end"],
      [cells + ["\(took) s", MachineLoad.text]])
    return [run] + Study(scores).tables("network")
  }

  /// Whether sessions can be run at all.
  private func check() throws {
    let plan = SessionPlan(family: .calm, seed: 0, traffic: .none, client: (1, 1), changes: [])
    let child = try Child(NetworkSession(plan, nil, run: 0, folder: "").words)
    guard child.wait() == 0 else {
      let words = child.words
      throw NetworkUnavailable(words.isEmpty ? "unshare --net is not permitted" : words)
    }
  }

  private func experiments() async throws -> [Experiment] {
    let folder = try TemporaryFolder()
    let sessions = plans.flatMap { plan in
      ([nil] + plan.changes).flatMap { change in
        [0, 1].map { run in
          NetworkSession(plan, change, run: run, folder: folder.path + "/\(UUID().uuidString)")
        }
      }
    }
    let traces = try await crew.map(sessions) { try await Self.traces(of: $0) }
    var experiments: [Experiment] = []
    for (index, plan) in plans.enumerated() {
      guard let change = plan.changes.first else { continue }
      let own = Array(traces[4 * index..<4 * index + 4])
      let (base, asked) = (try plan.parameters(nil), try plan.parameters(change))
      let script = RealScript(plan)
      for vantage in Experiment.Vantage.allCases {
        experiments.append(
          Experiment(
            plan.setting(change.name), vantage, recorded: own[0].seen(vantage), asked: asked,
            truth: own[2].tap, again: own[3].tap,
            oracle: try script.expected(of: asked, after: own[0].tap, of: base)))
        experiments.append(
          Experiment(
            plan.setting("← " + change.name), vantage, recorded: own[2].seen(vantage), asked: base,
            truth: own[0].tap, again: own[1].tap,
            oracle: try script.expected(of: base, after: own[2].tap, of: asked)))
      }
    }
    return experiments
  }

  private struct Traces: Sendable {
    var tap: Trace
    var capture: Trace

    func seen(_ vantage: Experiment.Vantage) -> Trace { vantage == .tap ? tap : capture }
  }

  /// Runs a session in a process of its own.
  private static func traces(of session: NetworkSession) async throws -> Traces {
    try FileManager.default.createDirectory(atPath: session.folder, withIntermediateDirectories: true)
    let child = try Child(session.words)
    await child.ended()
    guard child.wait() == 0 else { throw RealFailure("a session failed: \(child.words)") }
    let tap = try Trace.load(path: session.folder + "/tap.jsonl")
    var capture = try Trace.load(path: session.folder + "/capture.jsonl")
    capture.move(by: (capture.header.wall ?? 0) - (tap.header.wall ?? 0))
    // What a capture cannot know: that it was taken beside the client, and with which parameters.
    capture.header.at = .client
    capture.header.inForce = tap.header.inForce
    capture.header.inForceBy = .stated
    return Traces(tap: tap, capture: capture)
  }
}

/// This program once more, in a network namespace of its own.
private final class Child: Sendable {
  private let process: Process
  private let errors: Pipe
  private let end = AsyncStream<Never>.makeStream()

  init(_ words: [String]) throws {
    process = Process()
    errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Foundation wants the loopback device up before it does anything with processes.
    let script = "ip link set lo up && exec \"$@\""
    process.arguments = ["unshare", "--net", "sh", "-c", script, "sh", CommandLine.arguments[0]] + words
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let end = end.continuation
    process.terminationHandler = { _ in end.finish() }
    do { try process.run() } catch { throw NetworkUnavailable("there is no unshare(1)") }
  }

  func ended() async { for await _ in end.stream {} }

  /// Its exit status, once it has ended.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// What it says was wrong.
  var words: String {
    let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    return text.split(separator: "\n").last.map(String.init) ?? ""
  }
}
