import GoldwireMachines
import GoldwireTap
import GoldwireTestSupport
import GoldwireTesting
import GoldwireTrace

@testable import GoldwireLive

/// A network, a peer, a user and a system that go wrong in ways drawn from a seed.
struct HeartbeatFaults {
  private var random: SeededGenerator
  let parameters: Heartbeat.Parameters

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let intervals = [900_000, 1_000_000, 5_000_001, 30_000_000]
    let timeouts = [1, 10_000, 400_000, 1_000_000, 7_000_003]
    parameters = try Heartbeat.Parameters(
      interval: intervals[Int.random(in: 0..<4, using: &random)],
      timeout: timeouts[Int.random(in: 0..<5, using: &random)],
      connectTimeout: Bool.random(using: &random) ? 2_000_000 : nil,
      policy: Bool.random(using: &random) ? .pongOnly : .anyInboundIsLife,
      cadence: Bool.random(using: &random) ? .afterPong : .fixed)
  }

  /// Plays so many steps on a bench.
  mutating func play(_ steps: Int, on bench: DriverBench) async {
    await bench.driver.connect()
    for _ in 0..<steps {
      await wait(bench)
      if await bench.driver.phase == .idle, Int.random(in: 0..<5, using: &random) > 0 {
        await bench.driver.connect()
        if Bool.random(using: &random) { bench.transport.connections.last?.put(.opened(deflate: false)) }
      }
      // Several things at one instant, in any order.
      for _ in 0..<Int.random(in: 1...3, using: &random) { await happen(bench) }
    }
    bench.clock.hold(false)
    await bench.advance(toMicrosecond: bench.clock.now.microseconds + parameters.interval)
  }

  private mutating func wait(_ bench: DriverBench) async {
    let now = bench.clock.now.microseconds
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      // A system that holds timers back, and may let them go much later.
      bench.clock.hold(Bool.random(using: &random))
    case 1..<4:
      // Right to the instant at which the machine wants to be woken, or one beside it.
      guard let wakeup = await bench.driver.machine.wakeup else { return }
      let target = max(now, wakeup + Int.random(in: -1...1, using: &random))
      bench.clock.hold(true)
      bench.clock.advance(to: target)
      await happen(bench)
      bench.clock.hold(false)
    case 4..<9:
      let most = min(parameters.interval, parameters.timeout * 3)
      await bench.advance(toMicrosecond: now + Int.random(in: 0...max(most, 1), using: &random))
    default:
      await bench.advance(toMicrosecond: now + parameters.interval * 2)
    }
  }

  private static let ends: [WebSocketTransportEvent] = [
    .ended(.reset, .in), .ended(.fin, .in), .ended(.fin, .out), .ended(.error, nil), .ended(.timeout, nil),
  ]

  private mutating func happen(_ bench: DriverBench) async {
    let driver = bench.driver
    let count = bench.transport.connections.count
    // Mostly the present connection, often one before it.
    let generation = max(1, count - max(0, Int.random(in: -3...3, using: &random)))
    let connection = bench[generation]
    let ordinal = Int.random(in: 0...4, using: &random)
    switch Int.random(in: 0..<50, using: &random) {
    case 0: await driver.connect()
    case 1..<10: connection.put(.opened(deflate: false))
    case 10: connection.put(.refused(WebSocketRefusal(.status, answer: Answer(status: 503))))
    case 11: connection.put(Self.ends[Int.random(in: 0..<Self.ends.count, using: &random)])
    case 12: connection.put(.closeReceived(code: Int.random(in: 990...1_020, using: &random)))
    case 13: connection.put(.closeSent(code: 1_000))
    case 14..<18: connection.put(.pong(ordinal: nil, bytes: nil))
    case 18..<22: connection.put(.pong(ordinal: ordinal, bytes: 8))
    case 22..<32:
      let last = connection.asked.count { if case .ping = $0.wish { true } else { false } }
      connection.put(.pong(ordinal: last, bytes: 8))
    case 32: connection.complete(max(1, ordinal), .error(.reset))
    case 33..<36: connection.complete(max(1, ordinal), .ok)
    case 36: connection.complete(max(1, ordinal), .cancelled)
    case 37..<40: connection.put(.message(.text("hello")))
    case 40: connection.put(.pingReceived(ordinal: 1, bytes: 4))
    case 41: await driver.background()
    case 42..<45: _ = await driver.foreground()
    case 45..<47: await driver.network(Bool.random(using: &random) ? .wifi : .none)
    case 47: await driver.timerFired(for: generation)
    case 48: connection.put(.pongSent(ordinal: 1, bytes: 4))
    default: await driver.close(generation: Bool.random(using: &random) ? generation : nil)
    }
    // What was put in is read now, or together with what comes next.
    if Bool.random(using: &random) { await driver.takeMail() }
  }
}
