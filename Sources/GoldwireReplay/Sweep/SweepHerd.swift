internal import GoldwireMachines
public import GoldwireTrace

/// Many clients that fail together, each with random units of its own: a model with a declared number, no prediction.
///
/// They all send first when the recorded client did, are refused until the server is back, and are answered then.
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
  /// How long the server refuses them all; nil for as long as it refused the recorded client.
  public var outage: TimeSpan?

  /// Makes a herd.
  public init(clients: Int, seed: UInt64 = 1, outage: TimeSpan? = nil) {
    self.clients = min(max(clients, 1), Limits.clients)
    self.seed = seed
    self.outage = outage
  }

  /// Runs the herd of the first request that was refused and, where no outage is declared, answered.
  func add(
    _ requests: [RecordedRequest], _ asked: Retry.Parameters, to tally: inout SweepTally
  ) throws(ReplayError) {
    for request in requests where !request.hasHole {
      guard let reply = request.attempts.first?.reply, reply.event.isRefusal(asked.statuses),
        let back = try back(request, asked)
      else { continue }
      run(request, reply, until: back, asked, &tally)
      return
    }
  }

  /// When the server is back, since the first send; nil where the recording does not show it.
  private func back(_ request: RecordedRequest, _ asked: Retry.Parameters) throws(ReplayError) -> Int? {
    if let outage {
      let unit = 1_000_000 / asked.unit.perSecond
      guard outage.microseconds % unit == 0 else {
        throw ReplayError("the outage of \(outage) is no whole number of the trace's unit")
      }
      return outage.microseconds / unit
    }
    let back = request.attempts.first { attempt in
      attempt.reply.map { !$0.event.isRefusal(asked.statuses) } ?? false
    }
    return back.map { $0.sent - request.start }
  }

  private func run(
    _ request: RecordedRequest, _ refusal: RecordedRequest.Reply, until back: Int, _ asked: Retry.Parameters,
    _ tally: inout SweepTally
  ) {
    var random = HerdRandom(state: seed)
    let latency = max(0, refusal.at - request.start)
    var resent: [Int] = []
    var answered: [Int] = []
    for _ in 0..<clients {
      var machine = Retry(asked)
      machine.handle(.start(request.request ?? .init(method: "GET")), at: 0) { _ in }
      var (sent, attempt) = (0, 1)
      while machine.phase == .sending, sent < back, attempt <= 1_001 {
        let event = refusal.event.moved(to: attempt, unit: random.millionths(), by: 0, isAbsolute: false)
        machine.handle(event, at: sent + latency) { _ in }
        guard let due = machine.wakeup else { break }
        machine.tick(at: due) { _ in }
        (sent, attempt) = (due, attempt + 1)
        resent.append(sent)
      }
      if machine.phase == .sending { answered.append(sent) }
    }
    let perSecond = asked.unit.perSecond
    tally.herdPeak = max(tally.herdPeak, Self.most(&resent, within: perSecond))
    tally.herdReturn = max(tally.herdReturn, Self.most(&answered, within: perSecond))
    tally.herdLost = max(tally.herdLost, clients - answered.count)
    guard !answered.isEmpty else { return }
    let low = answered[answered.count * 5 / 100]
    let high = answered[min(answered.count - 1, answered.count * 95 / 100)]
    tally.herdSpread = max(tally.herdSpread, (high - low) * (1_000_000 / perSecond))
  }

  /// The most instants within any span that is shorter than this; they are in order afterwards.
  private static func most(_ instants: inout [Int], within span: Int) -> Int {
    instants.sort()
    var (most, first) = (0, 0)
    for last in instants.indices {
      while instants[last] - instants[first] >= span { first += 1 }
      most = max(most, last - first + 1)
    }
    return most
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
