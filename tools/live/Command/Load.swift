import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireServer
import GoldwireTap
import GoldwireTrace

/// `live-check load`: many connections at once for a while; every message must come back, and nothing may be left behind.
struct Load {
  private let connections: Int
  private let seconds: Int
  private let words: LiveWords

  init(_ words: LiveWords) throws {
    self.words = words
    connections = try words.number("connections", 1_000)
    seconds = try words.number("seconds", 60)
  }

  func run() async throws {
    let folder = try words.folder()
    let before = Self.openFiles()
    try await Self.session(connections: min(connections, 20), seconds: 1, folder.path)
    let memory = Self.residentKilobytes()
    try await Self.session(connections: connections, seconds: seconds, folder.path)
    let after = Self.openFiles()
    LiveCheck.say("open files: \(before) before, \(after) after")
    LiveCheck.say(
      "memory: \(memory) KiB after a small run, \(Self.residentKilobytes()) KiB after the large one")
    if after > before + 8 { throw LiveCheck.Failure("\(after - before) files stayed open") }
  }

  private static func session(connections: Int, seconds: Int, _ folder: String) async throws {
    let script = """
      {"script":1,"rules":[{"path":"*","websocket":{"messages":"echo"}}]}
      """
    let server = try FaultServer(script: FaultScript(json: Array(script.utf8)))
    guard let url = URL(string: "ws://127.0.0.1:\(server.port)/load") else { return }
    let parameters = try Heartbeat.Parameters(interval: .milliseconds(500), timeout: .seconds(10))
    let tap = try Tap(
      writingTo: folder + "/load-\(connections).jsonl", parameters: TapParameters(heartbeat: parameters))
    let (sent, received, ended) = (Counter(), Counter(), Counter())
    let end = TapInstant(microseconds: TapInstant.now.microseconds + seconds * 1_000_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<connections {
        group.addTask {
          let driver = HeartbeatDriver(
            parameters, transport: try SocketWebSocketTransport(url: url), tap: tap)
          await driver.connect()
          var waiting = 0
          for await event in driver.events {
            switch event {
            case .opened, .message:
              if case .message = event {
                received.add()
                waiting -= 1
              }
              if TapInstant.now < end {
                try await ContinuousDriverClock().sleep(
                  until: TapInstant(microseconds: TapInstant.now.microseconds + 200_000))
                try await driver.send(.text("load"))
                sent.add()
                waiting += 1
              } else if waiting == 0 {
                await driver.close()
              }
            case .missed: throw LiveCheck.Failure("a message was missed")
            case .ended(let how):
              if how.cause != .userClosed {
                throw LiveCheck.Failure("a connection ended: \(how.cause.rawValue)")
              }
              ended.add()
              return
            }
          }
        }
      }
      try await group.waitForAll()
    }
    tap.finish()
    await server.stop()
    LiveCheck.say(
      "\(connections) connections, \(seconds) s: \(sent.value) messages sent, \(received.value) came back, "
        + "\(ended.value) closed by the app, \(server.log.lines.count) lines of the server")
    guard sent.value == received.value, ended.value == connections else {
      throw LiveCheck.Failure("messages were lost")
    }
  }

  private static func openFiles() -> Int {
    let folder = FileManager.default.fileExists(atPath: "/proc/self/fd") ? "/proc/self/fd" : "/dev/fd"
    return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  /// The resident memory, where the system tells it in a file.
  private static func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
