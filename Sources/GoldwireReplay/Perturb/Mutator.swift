internal import GoldwireTrace

/// Changes the lines of a trace at random, so that what comes is a trace again: instants never go down.
struct Mutator {
  var lines: [TraceLine] { didSet { known = nil } }
  var random: MutantRandom
  let family: Channel.Family
  /// A second in the trace's unit.
  let second: Int
  private var known: [Int]?
  private let ask: ([TraceLine]) -> [Int]

  /// Makes one; `known` are the wishes over these lines, `ask` gives those over others.
  init(
    _ lines: [TraceLine], random: MutantRandom, family: Channel.Family, unit: Unit, known: [Int],
    ask: @escaping ([TraceLine]) -> [Int]
  ) {
    (self.lines, self.random, self.family, self.known, self.ask) = (lines, random, family, known, ask)
    second = unit == .us ? 1_000_000 : 1_000
  }

  /// When the machines want to be woken: the instants at which something hangs in the balance.
  var wishes: [Int] {
    mutating get {
      if let known { return known }
      let wishes = ask(lines)
      known = wishes
      return wishes
    }
  }

  /// Applies a change of a kind; false where the trace has nothing that it could change.
  mutating func apply(_ kind: MutationKind) -> Bool {
    switch kind {
    case .late: late()
    case .twice: twice()
    case .never: never()
    case .reorder: reorder()
    case .edge: edge()
    case .renew: renew()
    case .quit: quit()
    case .lateTick: lateTick()
    case .bunchedTicks: bunchedTicks()
    case .completion: completion()
    case .app: app()
    case .refusal: refusal()
    case .retryAfter: retryAfter()
    case .failure: failure()
    case .hop: hop()
    case .body: body()
    case .session: session()
    case .cut: cut()
    case .handler: handler()
    case .id: id()
    case .answer: answer()
    case .gap: gap()
    case .clockEnd: clockEnd()
    }
  }

  /// Lets the recording go on until the timers that run at its end have run.
  mutating func runOn() {
    for _ in 0..<2 {
      guard let last = wishes.last, last > horizon, last < .max else { return }
      guard last.subtractingReportingOverflow(horizon).partialValue < 3_600 * second else { return }
      end(at: last + 1)
    }
  }

  // MARK: Lines

  var horizon: Int { lines.last?.t ?? 0 }

  /// Sets the end of the recording.
  mutating func end(at instant: Int) {
    if case .recEnd? = lines.last?.event {
      lines[lines.count - 1].t = instant
    } else {
      lines.append(TraceLine(t: instant, event: .recEnd(why: .written, counts: nil)))
    }
  }

  /// Puts a line at its instant, before or behind those that are there; the end stays last.
  mutating func insert(_ line: TraceLine, isFirst: Bool = false) {
    var place = lines.firstIndex { isFirst ? $0.t >= line.t : $0.t > line.t } ?? lines.count
    if place == lines.count, case .recEnd? = lines.last?.event {
      place -= 1
      lines[place].t = max(lines[place].t, line.t)
    }
    lines.insert(line, at: place)
  }

  mutating func insert(
    _ event: TraceEvent, at t: Int, _ channel: Channel?, _ generation: Int? = nil, isFirst: Bool = false
  ) {
    insert(TraceLine(t: t, channel: channel, generation: generation, event: event), isFirst: isFirst)
  }

  /// Moves a line to another instant.
  mutating func move(_ index: Int, to t: Int, isFirst: Bool) {
    var line = lines.remove(at: index)
    line.t = t
    insert(line, isFirst: isFirst)
  }

  /// The places of lines that are like this.
  func places(_ isWanted: (TraceLine) -> Bool) -> [Int] { lines.indices.filter { isWanted(lines[$0]) } }

  /// One of the lines that come from outside.
  mutating func callback() -> Int? {
    random.pick(places { $0.channel?.family == family && $0.event.isCallback })
  }

  /// One of the machine's channels.
  mutating func channel() -> Channel? {
    random.pick(Set(lines.compactMap(\.channel)).filter { $0.family == family }.sorted())
  }

  // MARK: Instants

  /// One unit before an instant, the instant, or one unit after it.
  mutating func around(_ instant: Int) -> Int {
    max(0, AnswerClock.sum(instant, random.below(3) - 1))
  }

  /// An instant at which something may hang in the balance, not before another one.
  mutating func instant(from least: Int = 0) -> Int {
    switch random.below(4) {
    case 0, 1:
      if let wish = random.pick(wishes.filter { $0 >= least }) { return max(least, around(wish)) }
    case 2:
      if let line = random.pick(lines.filter { $0.t >= least }) { return max(least, around(line.t)) }
    default: break
    }
    return AnswerClock.sum(least, random.below(max(1, min(horizon, .max - second) - least + second)))
  }

  /// The timer that was wished for last after an instant.
  mutating func timer(after instant: Int) -> Int? {
    wishes.last { $0 > instant && $0 < .max - 100 * second }
  }
}

extension TraceEvent {
  /// Whether it comes from outside, so that it can come late, twice or never.
  var isCallback: Bool {
    switch self {
    case .wsOpen, .wsRefused, .wsPinged, .wsEnd: true
    case .wsPong(let dir, _, _), .wsClose(let dir, _, _): dir == .in
    case .wsMessage(let message): message.dir == .in
    case .httpResponse, .httpError, .httpBody: true
    case .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseHandled, .sseCut: true
    default: false
    }
  }
}
