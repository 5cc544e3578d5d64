import GoldwireReplay
import GoldwireTrace

/// Recordings of a client that pings, built an event at a time; instants are in seconds.
struct Recorded {
  private(set) var lines: [String] = []
  private(set) var now = 0.0
  private var generation = 0
  private var ping = 0
  /// How many pings were sent on the connection.
  var count: Int { ping }
  var interval = 30.0
  var timeout = 10.0
  var source = "tap"
  var at = "client"

  init(interval: Double = 30, timeout: Double = 10) {
    (self.interval, self.timeout) = (interval, timeout)
  }

  private mutating func add(_ t: Double, _ text: String) {
    now = max(now, t)
    lines.append("\(Int((t * 1_000_000).rounded())) ws1#\(generation) \(text)")
  }

  /// Adds a line as it is, `t` in seconds.
  mutating func raw(_ t: Double, _ text: String) {
    now = max(now, t)
    lines.append("\(Int((t * 1_000_000).rounded())) \(text)")
  }

  /// A connection that opens after a handshake of two round trips.
  mutating func connect(at t: Double, trip: Double = 0.04) {
    (generation, ping) = (generation + 1, 0)
    add(t, "ws.connect")
    add(t + 2 * trip, "ws.open status=101")
  }

  /// So many pings, each an interval after what came before and answered after a round trip.
  mutating func pings(_ count: Int, trip: Double = 0.04, late: Double = 0.001) {
    for _ in 0..<count {
      unanswered(late: late)
      answer(after: trip)
    }
  }

  /// A ping that was sent an interval after what came before.
  mutating func unanswered(late: Double = 0.001) {
    ping += 1
    add(now + interval + late, "ws.ping dir=out id=\(ping)")
  }

  /// The answer to the last ping.
  mutating func answer(after trip: Double) { add(now + trip, "ws.pong dir=in id=\(ping)") }

  /// The client gives the connection up: the timeout after the last ping.
  mutating func giveUp() { add(now + timeout, "ws.close dir=out code=1001 by=machine") }

  /// A message, at an instant that is not before the last one.
  mutating func message(at t: Double, _ dir: String) { add(t, "ws.message dir=\(dir) kind=text bytes=10") }

  /// An acknowledgement of all that was sent.
  mutating func acknowledged(at t: Double) { add(t, "rec.life dir=in kind=ack") }

  /// What counts from now on counts from this instant.
  mutating func rest(until t: Double) { now = t }

  /// An event of the connection.
  mutating func event(at t: Double, _ text: String) {
    if text.hasPrefix("ws.ping dir=out") { ping += 1 }
    add(t, text)
  }

  /// The recording's text; it ends at the instant, or with the last line.
  func text(until end: Double? = nil) -> String {
    let span = { (seconds: Double) in "\"\(Int(seconds * 1_000))ms\"" }
    let end = "\(Int(((end ?? now) * 1_000_000).rounded())) rec.end why=stopped"
    let header =
      ",\"inForce\":{\"heartbeat\":{\"interval\":\(span(interval)),\"timeout\":\(span(timeout))}}"
      + ",\"inForceBy\":\"driver\""
    return Written(lines: lines + [end], source: source, unit: "us", header: header).text
      .replacing("\"at\":\"client\"", with: "\"at\":\"\(at)\"")
  }

  func trace(until end: Double? = nil) throws -> Trace { try Trace(bytes: Array(text(until: end).utf8)) }

  /// Asks the recording.
  func asked(
    _ set: String, until end: Double? = nil, assume: String..., pool: EvidencePool? = nil
  ) throws -> CausalReplay {
    let trace = try trace(until: end)
    var overrides = ParameterTable()
    for word in set.split(separator: " ") { try overrides.set(option: "heartbeat.\(word)") }
    var assumptions = CausalAssumptions()
    for text in assume { try assumptions.set(option: text) }
    return try CausalReplay(
      trace, MachineParameters(asking: .heartbeat, of: trace.header, overrides: overrides),
      assumptions: assumptions, pool: pool)
  }
}

extension Recorded {
  /// A healthy hour of pings every 30 s.
  static var healthyHour: Recorded {
    var recorded = Recorded()
    recorded.connect(at: 0.001)
    recorded.pings(118)
    return recorded
  }

  /// A client whose every connection dies of the first silence of its interval: nothing answers the ping after it.
  static func killed(interval: Double, times: Int) -> Recorded {
    var recorded = Recorded(interval: interval)
    for _ in 0..<times {
      recorded.connect(at: recorded.now + 1)
      recorded.unanswered()
      recorded.giveUp()
    }
    return recorded
  }
}

extension CausalReplay {
  /// All reasons, in one text.
  var told: String { parts.flatMap(\.reasons).joined(separator: "\n") }

  /// The grades that there are.
  var grades: Set<Grade> { Set(actions.compactMap(\.line.grade)) }
}
