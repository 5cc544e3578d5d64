import GoldwireMachines
import GoldwireTap
import GoldwireTesting

@testable import GoldwireLive

/// A driver with a clock and a network that a test moves by hand; instants are in milliseconds.
struct DriverBench {
  let clock = HandClock()
  let book = LogBook()
  let transport: ScriptedWebSocketTransport
  let driver: HeartbeatDriver

  init(
    interval: Int = 30_000, timeout: Int = 10_000, connectTimeout: Int? = nil,
    policy: Heartbeat.Policy = .pongOnly, cadence: Heartbeat.Cadence = .afterPong, tap: Tap? = nil,
    limits: HeartbeatLimits = HeartbeatLimits()
  ) throws {
    self.init(
      try Heartbeat.Parameters(
        interval: .milliseconds(interval), timeout: .milliseconds(timeout),
        connectTimeout: connectTimeout.map { .milliseconds($0) }, policy: policy, cadence: cadence),
      tap: tap, limits: limits)
  }

  init(_ parameters: Heartbeat.Parameters, tap: Tap? = nil, limits: HeartbeatLimits = HeartbeatLimits()) {
    transport = ScriptedWebSocketTransport(clock: clock)
    driver = HeartbeatDriver(
      parameters, transport: transport, clock: clock, tap: tap, limits: limits, log: book.add)
  }

  /// The connection of a generation.
  subscript(_ generation: Int) -> ScriptedWebSocketConnection { transport.connections[generation - 1] }

  /// Makes a connection at an instant, and lets it open at once.
  func open(at instant: Int) async {
    await connect(at: instant)
    await put(.opened(deflate: false), on: transport.connections.count, at: instant)
  }

  func connect(at instant: Int) async {
    await advance(to: instant)
    await driver.connect()
  }

  /// Lets something happen on a connection at an instant.
  func put(_ event: WebSocketTransportEvent, on generation: Int, at instant: Int) async {
    await advance(to: instant)
    self[generation].put(event)
    await driver.takeMail()
  }

  func complete(
    _ ordinal: Int, _ completion: WebSocketPingCompletion, on generation: Int, at instant: Int
  ) async {
    await advance(to: instant)
    self[generation].complete(ordinal, completion)
    await driver.takeMail()
  }

  /// Moves on, wake-up by wake-up, and waits for each tick that they bring.
  func advance(to instant: Int) async {
    await advance(toMicrosecond: instant * 1_000)
  }

  func advance(toMicrosecond target: Int) async {
    await driver.takeMail()
    while !clock.isHeld {
      // Counted first: a tick that comes meanwhile may move the wake-up.
      let ticks = book.ticks
      guard let wakeup = await driver.machine.wakeup, wakeup <= target else { break }
      clock.advance(to: wakeup)
      await book.tick(after: ticks)
    }
    clock.advance(to: target)
  }

  /// What was asked of the connections, as words: instant, generation, wish.
  var asked: [String] {
    transport.asked.map { asked in
      let at = asked.instant.microseconds
      let instant = at % 1_000 == 0 ? "\(at / 1_000)" : "\(at) us"
      switch asked.wish {
      case .ping: return "\(instant) ping \(asked.connection)"
      case .send: return "\(instant) send \(asked.connection)"
      case .close(let code): return "\(instant) close \(asked.connection) \(code)"
      case .cancel: return "\(instant) cancel \(asked.connection)"
      }
    }
  }

  /// The ends in the log, as words.
  var ends: [String] {
    book.entries.compactMap { entry in
      let at = entry.instant.microseconds / 1_000
      switch entry.event {
      case .close(let cause): return "\(at) close \(entry.generation) \(cause.rawValue)"
      case .ended(let cause): return "\(at) ended \(entry.generation) \(cause.rawValue)"
      default: return nil
      }
    }
  }
}
