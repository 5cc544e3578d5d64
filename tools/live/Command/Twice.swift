import Foundation
import GoldwireReplay
import GoldwireTrace
import LiveScenarios

/// `live-check twice`: each session is recorded by the driver's tap and by a packet capture at once.
///
/// Both traces must replay to the same actions; the differences of their instants are told.
struct Twice {
  /// Families whose cause a capture cannot see, so that nothing can be compared.
  static let unseen: [LiveFamily: String] = [
    .app: "the app's state", .cancellations: "the caller's wish", .sessions: "the app's session",
    .writes: "what the caller declared of a write", .handlers: "the handlers' results",
  ]

  /// How much before its time an action may stand in a capture: that sees a connect later than the client began it.
  static let early = TimeSpan(microseconds: 25_000)

  private let seeds: Int
  private let first: Int
  private let families: [LiveFamily]
  private let words: LiveWords
  private let goldwire: String

  init(_ words: LiveWords) throws {
    self.words = words
    families = try words.families().filter { Self.unseen[$0] == nil }
    seeds = try words.number("seeds", 1)
    first = try words.number("first", 1)
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    goldwire =
      ProcessInfo.processInfo.environment["GOLDWIRE"] ?? beside.appendingPathComponent("goldwire").path
  }

  func run() async throws {
    let folder = try words.folder()
    var (differences, faults, sessions) = ([Int](), 0, 0)
    for family in families {
      for seed in first..<first + seeds {
        let pair = try await record(LiveScenario(family, seed: UInt64(seed)), folder.path)
        sessions += 1
        differences += pair.differences
        guard let fault = pair.fault else { continue }
        faults += 1
        LiveCheck.say("\(family.rawValue) \(seed): \(fault)")
      }
    }
    for (family, what) in Self.unseen.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      LiveCheck.say("left out: \(family.rawValue), since a capture cannot see \(what)")
    }
    let sorted = differences.map(abs).sorted()
    guard let worst = sorted.last else { throw LiveCheck.Failure("no action was compared") }
    LiveCheck.say(
      "\(sessions) sessions, \(sorted.count) actions in both: instants differ by \(sorted[sorted.count / 2]) us in the "
        + "middle, \(sorted[(sorted.count * 99) / 100]) us at the 99th percentile, \(worst) us at most")
    if faults > 0 { throw LiveCheck.Failure("\(faults) sessions replay otherwise from the capture") }
  }

  private struct Pair {
    var differences: [Int] = []
    var fault: String?
  }

  private func record(_ scenario: LiveScenario, _ folder: String) async throws -> Pair {
    let path = folder + "/\(scenario.family.rawValue)-\(scenario.seed)-capture.jsonl"
    let recorder = Recorder(goldwire, path)
    let session: LiveSession
    do {
      session = try await LiveSession.run(scenario, in: folder) { port in try await recorder.start(port) }
    } catch {
      recorder.stop()
      throw error
    }
    recorder.stop()
    var capture = try Trace.load(path: path)
    capture.header.inForce = session.trace.header.inForce
    capture.header.inForceBy = .stated
    return try compare(session, capture)
  }

  private func compare(_ session: LiveSession, _ capture: Trace) throws -> Pair {
    let machine = try session.conformance().parameters
    let own = try TraceReplay.replay(session.trace, machine, options: ReplayOptions(tick: .recorded)).replayed
    let options = ReplayOptions(tick: .recorded, early: Self.early)
    let seen = try TraceReplay.replay(capture, machine, options: options).replayed
    var pair = Pair()
    let shift = (session.trace.header.wall ?? 0) - (capture.header.wall ?? 0)
    let (left, right) = (comparable(own), comparable(seen, until: Self.wish(session.trace) + shift))
    if left.map(\.name) != right.map(\.name) {
      let place = zip(left, right).prefix { $0.name == $1.name }.count
      func word(_ actions: [Action]) -> String { place < actions.count ? actions[place].name : "nothing" }
      pair.fault = "action \(place + 1) is \(word(left)) by the tap, \(word(right)) by the capture"
    }
    for (one, other) in zip(left, right) where one.name == other.name {
      pair.differences.append(one.t + shift - other.t)
    }
    return pair
  }

  /// When the app wanted no more; what is on the wire after that is nobody's.
  private static func wish(_ trace: Trace) -> Int {
    let last = trace.lines.last { line in
      switch line.event {
      case .wsClose(.out, _, .user), .sseCancel: true
      default: false
      }
    }
    return last?.t ?? trace.horizon
  }

  private struct Action {
    var name: String
    var t: Int
  }

  /// The actions as both can name them: ids are pseudonyms of each, and waits are drawn from a unit that no capture sees.
  private func comparable(_ replayed: Replayed, until end: Int = .max) -> [Action] {
    replayed.actions.compactMap { action in
      let line = action.line
      guard line.t <= end else { return nil }
      if line.action == .wait || line.why == "cancelled" || line.why == "userClosed" { return nil }
      let parts = [
        line.channel.map(\.description), line.generation.map(String.init), line.req.map(String.init),
        line.attempt.map(String.init), line.action.description, line.why?.description,
        line.n.map(String.init),
      ]
      return Action(name: parts.map { $0 ?? "-" }.joined(separator: " "), t: line.t)
    }
  }
}

/// A packet capture of one port, as a process of its own.
final class Recorder {
  private let process = Process()
  private let errors = Pipe()
  private let path: String

  init(_ goldwire: String, _ path: String) {
    process.executableURL = URL(fileURLWithPath: goldwire)
    self.path = path
  }

  /// Begins, and returns once packets are being captured.
  func start(_ port: Int) async throws {
    process.arguments = ["record", "-i", "lo", "-w", path, "tcp port \(port)"]
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var heard = ""
    while !heard.contains("listening") {
      let data = errors.fileHandleForReading.availableData
      guard !data.isEmpty else { throw LiveCheck.Failure("the recorder did not start: \(heard)") }
      heard += String(decoding: data, as: UTF8.self)
    }
  }

  func stop() {
    guard process.isRunning else { return }
    process.interrupt()
    process.waitUntilExit()
  }
}
