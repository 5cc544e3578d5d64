/// A random recording in which all that a heartbeat can be told happens, at instants of their own.
struct OddRecording {
  private var state: UInt64
  private(set) var inForce = ""

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    inForce =
      "interval=\(pick(["1s", "2s", "5s"])) timeout=\(pick(["300ms", "1s", "2500ms", "6s"]))"
      + " policy=\(pick(["pongOnly", "anyInboundIsLife"])) cadence=\(pick(["afterPong", "fixed"]))"
  }

  private mutating func below(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }

  private mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

  /// The lines; each comes later than the one before, and never at a whole tenth of a second of a timer.
  mutating func lines() -> [String] {
    var (t, generation) = (0, 0)
    var (isAlive, isOpen) = (false, false)
    var lines: [String] = []
    while t < 40_000 {
      t += 7 + below(3) * below(700)
      if !isAlive {
        generation += 1 + below(4) / 3
        (isAlive, isOpen) = (true, false)
        lines.append("\(t) ws1#\(generation) ws.connect")
      } else if !isOpen, below(10) < 7 {
        isAlive = below(8) > 0
        isOpen = isAlive
        lines.append("\(t) ws1#\(generation) " + (isOpen ? "ws.open status=101" : "ws.refused cause=refused"))
      } else if let line = event(&t, generation, &isAlive) {
        lines.append("\(t) \(line)")
      }
    }
    return lines + ["\(t + 1) rec.end why=stopped"]
  }

  private mutating func event(_ t: inout Int, _ generation: Int, _ isAlive: inout Bool) -> String? {
    let channel = "ws1#\(below(20) > 0 ? generation : max(1, generation - 1))"
    switch below(100) {
    case ..<45: return "\(channel) ws.pong dir=in"
    case ..<60: return "\(channel) ws.message dir=\(pick(["in", "out"])) kind=text bytes=3"
    case ..<64: return "\(channel) rec.life dir=in kind=\(pick(["ack", "bytes"]))"
    case ..<68: return "app.background"
    case ..<74: return "app.foreground"
    case ..<79: return "app.network to=\(pick(["wifi", "none", "cell"]))"
    case ..<82:
      let length = 100 + below(3_000)
      t += length
      return "rec.pause for=\(length)"
    case ..<84: return "rec.wall step=\(below(10_000_000))"
    case ..<90:
      isAlive = channel != "ws1#\(generation)"
      return "\(channel) "
        + pick(["ws.end cause=reset dir=in", "ws.end cause=fin dir=in", "ws.close dir=in code=1000"])
    case ..<92:
      isAlive = channel != "ws1#\(generation)"
      return "\(channel) ws.close dir=out code=1000 by=user"
    case ..<94:
      isAlive = false
      return nil
    default: return nil
    }
  }
}
