import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireTap

/// `live-check client`: one connection of a heartbeat to any server; prints what the app is told, a JSON object a line.
struct Client {
  private let url: URL
  private let parameters: Heartbeat.Parameters
  private let pings: Int
  private let path: String

  init(_ words: LiveWords) throws {
    guard words.plain == ["heartbeat"] else { throw LiveWords.Fault("client wants heartbeat") }
    guard let url = URL(string: try words.text("url")) else { throw LiveWords.Fault("--url is none") }
    self.url = url
    parameters = try Heartbeat.Parameters(
      interval: words.span("interval"), timeout: words.span("timeout"), connectTimeout: .seconds(5))
    pings = try words.number("pings", 3)
    path = try words.text("tap")
  }

  func run() async throws {
    let tap = try Tap(writingTo: path, parameters: TapParameters(heartbeat: parameters))
    let count = Counter()
    let enough = pings
    let driver = HeartbeatDriver(parameters, transport: try SocketWebSocketTransport(url: url), tap: tap) {
      entry in
      if entry.event == .pinged(.ok) { count.add() }
    }
    await driver.connect()
    for await event in driver.events {
      switch event {
      case .opened(let generation): say("opened", generation)
      case .message(let generation, _):
        say("message", generation)
        // The app has read a message after the last answer: the receive loop goes on.
        if count.value >= enough { await driver.close() }
      case .missed(let generation, _): say("missed", generation)
      case .ended(let end):
        say("ended", end.generation, ",\"cause\":\"\(end.cause.rawValue)\"")
        tap.finish()
        return
      }
    }
  }

  private func say(_ event: String, _ generation: Int, _ more: String = "") {
    LiveCheck.say("{\"event\":\"\(event)\",\"generation\":\(generation)\(more)}")
  }
}

/// Counts from several threads.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func add() { lock.withLock { count += 1 } }

  var value: Int { lock.withLock { count } }
}
