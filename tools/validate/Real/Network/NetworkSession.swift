internal import Foundation
internal import GoldwireReplay
internal import GoldwireTap
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// A session whose packets are really lost, in true time: a process of its own, in a network namespace of its own.
public struct NetworkSession: Sendable {
  /// The word by which the command is asked for one.
  public static let word = "network-session"

  let plan: SessionPlan
  let change: ClientChange?
  /// 0, or 1 for the same once more with other jitter.
  let run: Int
  /// Where its traces go: `tap.jsonl` and `capture.jsonl`.
  let folder: String

  /// The words that make the same session in another process.
  var words: [String] {
    let change = change ?? ClientChange(interval: 100, timeout: 100)
    return [
      Self.word, plan.family.rawValue, String(plan.seed), plan.traffic.rawValue, String(plan.client.interval),
      String(plan.client.timeout), String(change.interval), String(change.timeout), String(run), folder,
    ]
  }

  init(_ plan: SessionPlan, _ change: ClientChange?, run: Int, folder: String) {
    (self.plan, self.change, self.run, self.folder) = (plan, change, run, folder)
  }

  /// Reads the words of another process, those behind ``word``.
  public init?(_ words: [String]) {
    let numbers = words.compactMap { Int($0) }
    guard words.count == 9, numbers.count == 6, let family = FaultFamily(rawValue: words[0]),
      let traffic = Traffic(rawValue: words[2])
    else { return nil }
    plan = SessionPlan(
      family: family, seed: numbers[0], traffic: traffic, client: (numbers[1], numbers[2]), changes: [])
    change = ClientChange(interval: numbers[3], timeout: numbers[4])
    (run, folder) = (numbers[5], words[8])
  }

  /// Runs it, here; without a folder for its traces it only finds out whether it could.
  ///
  /// Throws ``NetworkUnavailable`` where the system does not permit it.
  public func run() async throws {
    let path = try PacketPath()
    let capture = folder.isEmpty ? "/dev/null" : folder + "/capture.jsonl"
    let recorder = try Recorder(TunnelDevice.name, to: capture, only: "host 10.0.0.1")
    defer { recorder.stop() }
    guard !folder.isEmpty else { return }
    let script = RealScript(plan)
    var session = RealSession(script: script, client: try plan.parameters(change), scale: 1, run: run)
    session.host = path.host
    let seed = UInt64(plan.seed * 2 + run)
    let trace = try await session.trace(in: folder) { path.begin(script.faults, seed: seed, at: $0) }
    path.end()
    try trace.store(folder + "/tap.jsonl")
  }
}

extension Trace {
  /// Writes the trace into a file.
  func store(_ path: String) throws {
    var writer = TraceWriter(to: try ByteOutput(path: path))
    try writer.write(header)
    for line in lines { try writer.write(line) }
    try writer.finish()
  }
}

/// `goldwire record` on a device, as a process of its own.
final class Recorder {
  private let process = Process()

  /// Begins, and returns once packets are being captured.
  init(_ device: String, to path: String, only filter: String) throws {
    let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["GOLDWIRE"]
    process.executableURL = URL(fileURLWithPath: named ?? beside.appendingPathComponent("goldwire").path)
    process.arguments = ["record", "-i", device, "-w", path, filter]
    let errors = Pipe()
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw NetworkUnavailable("goldwire is not beside this program; build it, or name it by GOLDWIRE")
    }
    var heard = ""
    while !heard.contains("listening") {
      let data = errors.fileHandleForReading.availableData
      guard !data.isEmpty else { throw NetworkUnavailable("goldwire record says: \(heard)") }
      heard += String(decoding: data, as: UTF8.self)
    }
  }

  func stop() {
    guard process.isRunning else { return }
    process.interrupt()
    process.waitUntilExit()
  }
}
