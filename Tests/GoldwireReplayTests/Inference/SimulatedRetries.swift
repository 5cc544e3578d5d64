import GoldwireTestSupport
import GoldwireTrace

/// A client whose retries wait as a known backoff says, and a server that answers 503 as a seed says: their trace.
struct SimulatedRetries {
  let jitter: String
  let base: Int
  let factor: Double
  let cap: Int
  let count: Int
  /// Whether a request was given up, and whether a wait was held down by the cap.
  private(set) var isGivenUp = false
  private(set) var isCapped = false
  private(set) var lines: [TraceLine] = []

  init(seed: UInt64, slack: Int) {
    var random = SeededGenerator(seed: seed)
    jitter = ["none", "equal", "full", "decorrelated"].randomElement(using: &random) ?? "none"
    base = Int.random(in: 300_000...3_000_000, using: &random)
    factor = [1, 1.5, 1.6, 2, 3].randomElement(using: &random) ?? 2
    count = Int.random(in: 1...5, using: &random)
    cap = Bool.random(using: &random) ? base * 6 : Int.max
    var t = 1_000
    for req in 1...Int.random(in: 1...6, using: &random) {
      var (attempt, sleep) = (1, base)
      let failures = Int.random(in: 0...count + 1, using: &random)
      while true {
        put(t, .httpSend(HTTPSend(req: req, attempt: attempt, method: .get)))
        t += Int.random(in: 1_000...90_000, using: &random)
        let isBad = attempt <= failures
        let server =
          isBad && Int.random(in: 0...7, using: &random) == 0 ? Int.random(in: 1...9, using: &random) : nil
        put(
          t,
          .httpResponse(
            HTTPResponse(
              req: req, attempt: attempt, status: isBad ? 503 : 200,
              retry: RetryFields(server.map { .after($0) }))))
        guard isBad else { break }
        guard attempt <= count else {
          if server == nil { isGivenUp = true }
          break
        }
        let wait = wait(attempt - 1, &sleep, &random)
        t += max(wait, (server ?? 0) * 1_000_000) + Int.random(in: 0...slack, using: &random)
        attempt += 1
      }
      t += 700_000_000
    }
    lines.append(TraceLine(t: t, event: .recEnd(why: .stopped, counts: nil)))
  }

  private mutating func wait(_ index: Int, _ sleep: inout Int, _ random: inout SeededGenerator) -> Int {
    var full = Double(base)
    for _ in 0..<index { full *= factor }
    if jitter != "decorrelated", full > Double(cap) { isCapped = true }
    let delay = Int(min(full, Double(cap)))
    switch jitter {
    case "none": return delay
    case "equal": return Int.random(in: delay / 2...delay, using: &random)
    case "full": return Int.random(in: 0...delay, using: &random)
    default:
      sleep = Int.random(in: base...max(base, sleep * 3), using: &random)
      return sleep
    }
  }

  var trace: Trace {
    Trace(
      header: TraceHeader(tool: "test", source: .tap, unit: .us, clock: .continuous, at: .client),
      lines: lines)
  }

  private mutating func put(_ t: Int, _ event: TraceEvent) {
    lines.append(TraceLine(t: t, channel: Channel(.http, 1), generation: 1, event: event))
  }
}
