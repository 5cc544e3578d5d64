internal import GoldwireMachines

/// Many clients that fail together, each with random units of its own: a model with a declared number, no prediction.
///
/// They all send first when the recorded client did, are refused until the recorded server was back, and are answered then.
public struct SweepHerd: Equatable, Sendable {
  /// The limits of herds.
  public enum Limits {
    /// The most clients.
    public static let clients = 100_000
  }

  /// How many there are.
  public var clients: Int
  /// What their random units are drawn from.
  public var seed: UInt64

  /// Makes a herd.
  public init(clients: Int, seed: UInt64 = 1) {
    self.clients = min(max(clients, 1), Limits.clients)
    self.seed = seed
  }

  /// Runs the herd of the first request that was refused and answered.
  func add(_ requests: [RecordedRequest], _ asked: Retry.Parameters, to tally: inout SweepTally) {
    for request in requests where !request.hasHole {
      guard let reply = request.attempts.first?.reply, reply.event.isRefusal(asked.statuses),
        let back = request.attempts.first(where: {
          $0.reply.map { !$0.event.isRefusal(asked.statuses) } ?? false
        })
      else { continue }
      run(request, reply, until: back.sent, asked, &tally)
      return
    }
  }

  private func run(
    _ request: RecordedRequest, _ refusal: RecordedRequest.Reply, until back: Int, _ asked: Retry.Parameters,
    _ tally: inout SweepTally
  ) {
    var random = HerdRandom(state: seed)
    let perSecond = asked.unit.perSecond
    let latency = max(0, refusal.at - request.start)
    var seconds: [Int: Int] = [:]
    var last: [Int] = []
    for _ in 0..<clients {
      var machine = Retry(asked)
      machine.handle(.start(request.request ?? .init(method: "GET")), at: 0) { _ in }
      var (sent, attempt) = (0, 1)
      while machine.phase == .sending, request.start + sent < back, attempt <= 1_001 {
        let event = refusal.event.moved(to: attempt, unit: random.millionths(), by: 0, isAbsolute: false)
        machine.handle(event, at: sent + latency) { _ in }
        guard let due = machine.wakeup else { break }
        machine.tick(at: due) { _ in }
        (sent, attempt) = (due, attempt + 1)
        seconds[due / max(1, perSecond), default: 0] += 1
      }
      last.append(sent)
    }
    last.sort()
    let factor = 1_000_000 / perSecond
    let spread =
      last[last.count * 95 / 100 - (last.count * 95 / 100 == last.count ? 1 : 0)] - last[last.count * 5 / 100]
    tally.herdPeak = max(tally.herdPeak, seconds.values.max() ?? 0)
    tally.herdSpread = max(tally.herdSpread, spread * factor)
  }
}

/// SplitMix64: the same units on every machine.
private struct HerdRandom {
  var state: UInt64

  mutating func millionths() -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed % 1_000_001)
  }
}
