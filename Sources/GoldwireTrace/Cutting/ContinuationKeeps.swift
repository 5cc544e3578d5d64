/// What is kept of one channel.
protocol KeptChannel {
  /// How many lines that takes.
  var count: Int { get }
  /// The number of the line that was seen last.
  var last: Int { get set }
}

/// What a continuation keeps of a WebSocket session: the connection that is current.
struct KeptSocket: KeptChannel {
  var last = 0
  private var generation = 0
  private var begin: ContinuationPins.Kept?
  private var open: ContinuationPins.Kept?
  /// All since the last ping that went out, and before the first what a machine is told.
  private var since: [ContinuationPins.Kept] = []
  private var hasPing = false
  /// Whether something between the open and ``since`` was left out.
  private var hasLoss = false
  /// Whether what followed the last ping had to be forgotten.
  private var isLost = false
  private(set) var isOver = true

  var count: Int { since.count + 2 }

  /// The lines to tell again: up to the open, a gap where something is left out, then all since the last ping.
  func pins(_ rules: ContinuationRules) -> [ContinuationPins.Kept] {
    guard let begin else { return [] }
    var pins = [begin]
    if let open { pins.append(open) }
    if isLost || hasLoss && hasPing { pins.append((open ?? begin).gap(rules.gap)) }
    return pins + since
  }

  mutating func note(_ kept: ContinuationPins.Kept, _ rules: ContinuationRules) {
    let line = kept.line
    switch line.event {
    case .wsConnect, .wsAttach:
      self = KeptSocket()
      generation = line.generation ?? 0
      begin = kept
      isOver = false
      return
    default: break
    }
    // Late lines of an older connection move no machine.
    guard line.generation == nil || line.generation == generation, begin != nil else { return }
    switch line.event {
    case .wsOpen where open == nil: open = kept
    case .wsPing(.out, _, _): ping(kept)
    case .wsMessage(let message) where message.dir == .out && message.beat == .ping: ping(kept)
    case .wsEnd, .wsRefused: isOver = true
    case .wsMessage, .wsPing, .wsPong, .recLife, .recNote:
      // Before the first ping nothing is awaited, and they move nothing.
      if hasPing, !isLost, rules.moves(line.event) { since.append(kept) }
    case .recTick where rules.isFlight: break
    default: if !isLost { since.append(kept) }
    }
  }

  /// Forgets all since the last ping: the machine is out of step until the next one.
  mutating func lose() {
    since = []
    isLost = true
  }

  private mutating func ping(_ kept: ContinuationPins.Kept) {
    if hasPing || isLost || !since.isEmpty { hasLoss = true }
    hasPing = true
    isLost = false
    since = [kept]
  }
}

/// What a continuation keeps of an event stream: all since its last connect.
struct KeptStream: KeptChannel {
  var last = 0
  private(set) var begin: [ContinuationPins.Kept] = []
  private var rest: [ContinuationPins.Kept] = []
  private var isLost = false
  private(set) var isOver = false

  init() {}

  /// A stream that began with these lines of a request.
  init(beginningWith lines: [ContinuationPins.Kept]) { begin = lines }

  var count: Int { begin.count + rest.count }

  /// The lines to tell again: those of the connect and open, and what followed, or a gap for it.
  func pins(_ rules: ContinuationRules) -> [ContinuationPins.Kept] {
    isLost ? begin + (begin.last.map { [$0.gap(rules.gap)] } ?? []) : begin + rest
  }

  mutating func note(_ kept: ContinuationPins.Kept) {
    switch kept.line.event {
    case .sseConnect:
      self = KeptStream()
      begin = [kept]
    case .sseOpen where rest.isEmpty && !isLost: begin.append(kept)
    case .sseCancel: isOver = true
    default: if !isLost, !begin.isEmpty { rest.append(kept) }
    }
  }

  /// Forgets what followed the open: the machine is out of step until the next connect.
  mutating func lose() {
    rest = []
    isLost = true
  }
}

extension ContinuationPins.Kept {
  /// A gap right behind this line.
  func gap(_ why: GapReason) -> ContinuationPins.Kept {
    ContinuationPins.Kept(
      number: number,
      line: TraceLine(
        t: line.t, channel: line.channel, generation: line.generation, event: .recGap(Gap(why: why))))
  }
}
