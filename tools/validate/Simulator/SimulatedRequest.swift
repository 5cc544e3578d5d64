internal import GoldwireMachines
internal import GoldwireProtocols
public import GoldwireReplay
public import GoldwireTrace

/// A server that refuses requests for a while, as it answers one client.
public enum RequestFault: String, CaseIterable, Sendable {
  /// It is back at an instant, whatever is asked before.
  case backAtAnInstant
  /// It refuses so many attempts, whenever they come.
  case refusesAttempts
  /// It has tokens that come back in time, and an attempt that is refused costs some.
  case tokens
  /// An attempt that comes too early makes it refuse for longer.
  case extends
}

/// A client that tries a request again, on the product's own machine, in virtual time.
public struct SimulatedRequest: Sendable {
  /// What its tap saw.
  public let tap: Trace

  /// Runs one request against a server that is drawn from a seed.
  ///
  /// The random units of the waits are of the seed and the attempt: two schedules draw alike. Throws where a parameter
  /// makes no sense.
  public init(_ fault: RequestFault, seed: Int, _ parameters: MachineParameters) throws {
    var run = RequestRun(fault, seed, try parameters.retry(.us))
    run.run()
    let header = TraceHeader(
      tool: "goldwire simulator", source: .tap, unit: .us, clock: .continuous, at: .client,
      inForce: ParameterTable([.retry: parameters.values]), inForceBy: .driver)
    tap = Trace(
      header: header,
      lines: run.lines + [TraceLine(t: RequestRun.horizon, event: .recEnd(why: .stopped, counts: nil))])
  }
}

/// The server of one request.
private struct RefusingServer {
  let fault: RequestFault
  /// Whether it says when to come again.
  let saysWhen: Bool
  private var until: Int
  private var refusals: Int
  private let penalty: Int
  private var tokens = 0.0
  private var last = 0
  private let rate: Double

  init(_ fault: RequestFault, _ dice: inout Dice) {
    self.fault = fault
    until = dice.within(1_000_000, 40_000_000)
    refusals = dice.within(1, 3)
    penalty = dice.within(3_000_000, 12_000_000)
    rate = 0.05 + 0.35 * dice.unit()
    saysWhen = dice.within(0, 9) < 3 && (fault == .backAtAnInstant || fault == .extends)
  }

  /// Whether it answers an attempt at an instant.
  mutating func answers(_ now: Int) -> Bool {
    switch fault {
    case .backAtAnInstant: return now >= until
    case .refusesAttempts:
      refusals -= 1
      return refusals < 0
    case .tokens:
      tokens = min(3, tokens + Double(now - last) / 1_000_000 * rate)
      last = now
      let isEnough = tokens >= 1
      tokens -= isEnough ? 1 : 0.2
      return isEnough
    case .extends:
      if now >= until { return true }
      until = max(until, now + penalty)
      return false
    }
  }

  /// In how many seconds to come again.
  func retryAfter(_ now: Int) -> Int? { saysWhen ? max(0, (until - now + 999_999) / 1_000_000) : nil }
}

private struct RequestRun {
  static let horizon = 300_000_000
  private static let way = 20_000

  private(set) var lines: [TraceLine] = []
  private var server: RefusingServer
  private var machine: Retry
  private let units: [Int]

  init(_ fault: RequestFault, _ seed: Int, _ parameters: Retry.Parameters) {
    let index = RequestFault.allCases.firstIndex(of: fault) ?? 0
    var dice = Dice(UInt64(seed) &* 104_729 &+ UInt64(index) &* 7_907 &+ 5)
    server = RefusingServer(fault, &dice)
    units = (0..<64).map { _ in dice.within(0, 1_000_000) }
    machine = Retry(parameters)
  }

  private mutating func write(_ t: Int, _ event: TraceEvent) {
    lines.append(TraceLine(t: t, channel: Channel(.http, 1), event: event))
  }

  mutating func run() {
    var now = 0
    machine.handle(.start(Retry.Request(method: "GET")), at: now) { _ in }
    while now <= Self.horizon, machine.phase != .done {
      let attempt = machine.attempt
      write(now, .httpSend(HTTPSend(req: 1, attempt: attempt, method: .get)))
      let isAnswered = server.answers(now + Self.way)
      let after = isAnswered ? nil : server.retryAfter(now + Self.way)
      now += 2 * Self.way
      write(
        now,
        .httpResponse(
          HTTPResponse(
            req: 1, attempt: attempt, status: isAnswered ? 200 : 503,
            retry: RetryFields(after.map { .after($0) }))))
      let unit = units[min(attempt, units.count) - 1]
      let reading: RetryAfter = after.map { .seconds(UInt64($0)) } ?? .absent
      var action: Retry.Action?
      machine.handle(
        .answered(attempt, Answer(status: isAnswered ? 200 : 503, retryAfter: reading, unit: unit)), at: now
      ) { action = $0 }
      switch action {
      case .wait(let span, let next):
        write(now, .httpWait(req: 1, try: next, for: span, unit: unit))
        now = machine.wakeup ?? now
        machine.tick(at: now) { _ in }
      case .stop(let outcome):
        write(now, .httpStop(req: 1, why: StopReason(rawValue: outcome.word) ?? .budget))
      case .send, nil: return
      }
    }
  }
}
