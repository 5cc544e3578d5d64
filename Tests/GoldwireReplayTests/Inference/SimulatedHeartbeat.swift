import GoldwireMachines
import GoldwireTestSupport
import GoldwireTrace

/// A client that runs the heartbeat with known parameters, and a peer that answers as a seed says: their trace.
struct SimulatedHeartbeat {
  let parameters: Heartbeat.Parameters
  private(set) var lines: [TraceLine] = []
  private var random: SeededGenerator
  private let slack: Int

  /// Runs it for a number of pings, then falls silent where the seed says so.
  init(seed: UInt64, slack: Int) throws {
    random = SeededGenerator(seed: seed)
    self.slack = slack
    let interval = Int.random(in: 1_000_000...60_000_000, using: &random)
    let timeout = Int.random(in: 1_000_000...20_000_000, using: &random)
    parameters = try Heartbeat.Parameters(
      interval: interval, timeout: timeout,
      policy: Bool.random(using: &random) ? .anyInboundIsLife : .pongOnly,
      cadence: Bool.random(using: &random) ? .fixed : .afterPong)
    run()
  }

  var trace: Trace {
    Trace(
      header: TraceHeader(tool: "test", source: .tap, unit: .us, clock: .continuous, at: .client),
      lines: lines)
  }

  private mutating func put(_ t: Int, _ event: TraceEvent) {
    lines.append(TraceLine(t: t, channel: Channel(.ws, 1), generation: 1, event: event))
  }

  private mutating func run() {
    var machine = Heartbeat(parameters)
    _ = machine.connect(as: 1, now: 0)
    put(0, .wsConnect)
    machine.opened(1, now: 40_000)
    put(40_000, .wsOpen(status: 101, deflate: nil))
    let pings = Int.random(in: 2...12, using: &random)
    let falls = Bool.random(using: &random)
    let talks = Bool.random(using: &random)
    var (sent, answer, message): (Int, (at: Int, id: Int)?, Int) = (0, nil, talks ? 500_000 : Int.max)
    var (now, end) = (40_000, false)
    var (wish, wake): (Int?, Int) = (nil, Int.max)
    while !end, lines.count < 2_000 {
      // A timer is set once, and runs off late once.
      if machine.wakeup != wish {
        wish = machine.wakeup
        wake = wish.map { max(now, $0) + Int.random(in: 0...slack, using: &random) } ?? Int.max
      }
      let next = min(wake, answer?.at ?? Int.max, message)
      guard next < Int.max else { break }
      now = next
      if let pong = answer, pong.at == now {
        put(now, .wsPong(dir: .in, id: pong.id, bytes: 0))
        machine.pong(1, id: pong.id, now: now)
        answer = nil
        if sent >= pings { end = true }
      } else if message == now {
        put(now, .wsMessage(WSMessage(dir: .in, kind: .text, bytes: 5)))
        machine.inbound(1, now: now)
        message = sent > pings + 3 ? Int.max : now + Int.random(in: 300_000...8_000_000, using: &random)
        if now > (parameters.interval + parameters.timeout) * (pings + 4) { message = Int.max }
      } else {
        switch machine.tick(now: now) {
        case .ping:
          sent += 1
          put(now, .wsPing(dir: .out, id: sent, bytes: 0))
          let trip = Int.random(in: 1_000...parameters.timeout * 9 / 10, using: &random)
          if sent < pings || !falls { answer = (now + trip, sent) }
          // A peer that has fallen silent may still talk for a while.
          if sent >= pings, falls, Bool.random(using: &random) { message = Int.max }
        case .close:
          put(now, .wsClose(dir: .out, code: 1011, by: .unknown))
          end = true
        default: break
        }
      }
    }
    lines.append(TraceLine(t: now + 1, event: .recEnd(why: .stopped, counts: nil)))
  }
}
