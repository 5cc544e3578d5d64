internal import GoldwireReplay
internal import GoldwireTrace

/// What a tap and a capture write of a session.
///
/// A tap writes what the client asks for and is handed. A capture writes packets: a message when it is sent first, which
/// may be late or never; a handshake when its request is sent; acknowledgements that carry nothing; and no timer.
struct Tape {
  private var tap: [TraceLine] = []
  private var seen: [TraceLine] = []
  private var life = LifeRule()
  private var pings = (tap: 0, capture: 0)
  private var hasAsked = false
  private var began = 0

  private func line(_ generation: Int, _ t: Int, _ event: TraceEvent) -> TraceLine {
    TraceLine(t: t, channel: Channel(.ws, 1), generation: generation, event: event)
  }

  private mutating func both(_ generation: Int, _ t: Int, _ event: TraceEvent) {
    tap.append(line(generation, t, event))
    seen.append(line(generation, t, event))
  }

  // MARK: What the client does

  mutating func begin(_ generation: Int, _ t: Int) {
    (pings, hasAsked, began) = ((0, 0), false, t)
    life = LifeRule()
    tap.append(line(generation, t, .wsConnect))
  }

  mutating func tapPing(_ generation: Int, _ t: Int) {
    pings.tap += 1
    tap.append(line(generation, t, .wsPing(dir: .out, id: pings.tap, bytes: 4)))
  }

  mutating func tapSent(_ generation: Int, _ t: Int) {
    tap.append(line(generation, t, .wsMessage(WSMessage(dir: .out, kind: .text, bytes: 40))))
  }

  /// A message goes out for the first time.
  mutating func captureSent(_ payload: SessionRun.Payload, _ generation: Int, _ t: Int) {
    switch payload {
    case .request:
      hasAsked = true
      seen.append(line(generation, t, .wsConnect))
    case .ping:
      pings.capture += 1
      seen.append(line(generation, t, .wsPing(dir: .out, id: pings.capture, bytes: 4)))
    case .message, .question:
      seen.append(line(generation, t, .wsMessage(WSMessage(dir: .out, kind: .text, bytes: 46))))
    case .switched, .pong, .answer, .close: break
    }
  }

  /// The client gives up; where its bytes wait for a retransmission, its close frame waits too, and a reset ends it.
  mutating func close(_ generation: Int, isConnecting: Bool, isHeld: Bool, _ t: Int) {
    tap.append(line(generation, t, .wsClose(dir: .out, code: isConnecting ? nil : 1_001, by: .machine)))
    guard hasAsked else {
      seen.append(line(generation, began, .wsConnect))
      seen.append(line(generation, t, .wsRefused(cause: .timeout, status: nil, retry: RetryFields())))
      return
    }
    guard isHeld || isConnecting else {
      seen.append(line(generation, t, .wsClose(dir: .out, code: 1_001, by: .unknown)))
      return
    }
    seen.append(line(generation, t, .wsEnd(cause: .reset, dir: .out)))
  }

  // MARK: What comes in

  /// Something came that has a line of its own.
  private mutating func heard(_ t: Int) {
    if let needless = life.mark(t) { seen.remove(at: needless) }
  }

  mutating func open(_ generation: Int, _ t: Int) {
    heard(t)
    life.acknowledged = t
    both(generation, t, .wsOpen(status: 101, deflate: nil))
  }

  mutating func pong(_ generation: Int, _ t: Int) {
    heard(t)
    life.acknowledged = t
    tap.append(line(generation, t, .wsPong(dir: .in, id: pings.tap, bytes: 4)))
    seen.append(line(generation, t, .wsPong(dir: .in, id: pings.capture, bytes: 4)))
  }

  mutating func message(_ generation: Int, _ t: Int) {
    heard(t)
    both(generation, t, .wsMessage(WSMessage(dir: .in, kind: .text, bytes: 40)))
  }

  /// An acknowledgement came, carried nothing, and said that all that was sent has arrived.
  mutating func captureAcknowledged(_ generation: Int, _ t: Int) {
    guard hasAsked, life.isOpen else { return }
    if let needless = life.show(t) { seen.remove(at: needless) }
    seen.append(line(generation, t, .recLife(dir: .in, kind: .ack)))
    life.place = seen.count - 1
  }

  mutating func end(_ generation: Int, _ fate: SessionRun.Fate, isOpen: Bool, _ t: Int) {
    if !hasAsked { seen.append(line(generation, began, .wsConnect)) }
    guard isOpen else {
      let cause: Cause =
        switch fate {
        case .reset: .reset
        case .fin, .closed: .fin
        case .refused: .refused
        }
      return both(generation, t, .wsRefused(cause: cause, status: nil, retry: RetryFields()))
    }
    switch fate {
    case .reset: both(generation, t, .wsEnd(cause: .reset, dir: .in))
    case .fin: both(generation, t, .wsEnd(cause: .fin, dir: .in))
    case .refused: break
    case .closed(let code): both(generation, t, .wsClose(dir: .in, code: code, by: nil))
    }
  }

  // MARK: Traces

  func traces(_ parameters: MachineParameters, horizon: Int) -> (tap: Trace, capture: Trace) {
    let inForce = ParameterTable([.heartbeat: parameters.values])
    func trace(_ lines: [TraceLine], _ source: Source, _ blind: [Blind], _ by: Authority) -> Trace {
      let header = TraceHeader(
        tool: "goldwire simulator", source: source, unit: .us, clock: source == .tap ? .continuous : .capture,
        at: .client, blind: blind, inForce: inForce, inForceBy: by)
      let ordered = lines.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }
      return Trace(
        header: header,
        lines: ordered.map(\.element) + [TraceLine(t: horizon, event: .recEnd(why: .stopped, counts: nil))])
    }
    return (
      trace(tap, .tap, [], .driver), trace(seen, .pcap, [.app, .handler, .tick, .unit], .stated)
    )
  }
}

/// Which signs of life a capture writes: acknowledgements once a second, and the last one before each second of silence.
struct LifeRule {
  private static let second = 1_000_000
  private var latest = Int.min / 2
  private var written = Int.min / 2
  private var isTentative = false
  /// When a line last said that all that was sent has arrived.
  var acknowledged = Int.min / 2
  /// Where the last line stands.
  var place = 0
  /// Whether the handshake is over.
  private(set) var isOpen = false

  /// A line of another kind shows life; the place of a line that it makes needless, if it makes one so.
  mutating func mark(_ t: Int) -> Int? {
    let needless = settle(t)
    isOpen = true
    (latest, written) = (t, t)
    return needless
  }

  /// The same for a sign that no other line shows.
  mutating func show(_ t: Int) -> Int? {
    let needless = settle(t)
    latest = t
    let isDue = t - acknowledged >= Self.second
    if isDue { acknowledged = t }
    isTentative = !isDue && t - written < Self.second
    if !isTentative { written = t }
    return needless
  }

  /// What was written in case silence followed is needless if none did.
  private mutating func settle(_ t: Int) -> Int? {
    guard isTentative else { return nil }
    isTentative = false
    if t - latest < Self.second { return place }
    written = latest
    return nil
  }
}
