/// What a cut keeps of a WebSocket session: the connection that is current at its beginning.
struct SocketPin {
  private(set) var begin: Int?
  private(set) var open: Int?
  /// All since the last ping that went out, or since the connect where the machine's pings are not recorded.
  private(set) var since: [Int] = []
  /// Whether something between open and last ping was left out.
  private(set) var hasLoss = false
  /// Whether the connection has ended by something that a machine is told.
  private(set) var isOver = false

  private let rules: PinRules
  private var generation = 0
  private var isClosing = false

  init(_ rules: PinRules) { self.rules = rules }

  mutating func note(_ line: TraceLine, _ index: Int) {
    let number = line.generation ?? generation
    switch line.event {
    case .wsConnect, .wsAttach: return start(number, index)
    case .recGap where begin != nil && number <= generation: return since.append(index)
    default: break
    }
    // Late lines of an older connection move no machine; a connect can be lost in a hole.
    if number > generation || begin == nil && number == generation { return start(number, index, line) }
    guard number == generation else { return }
    switch line.event {
    case .wsOpen where open == nil: open = index
    case .wsRefused: isOver = true
    case .wsEnd(_, let dir): end(dir, index)
    case .wsClose:
      isClosing = true
      since.append(index)
    case .wsMessage, .wsPing, .wsPong, .recLife, .recNote:
      if isPing(line.event) { ping(index) } else if !rules.hasNoPings { since.append(index) }
    default: since.append(index)
    }
  }

  private mutating func start(_ generation: Int, _ index: Int, _ line: TraceLine? = nil) {
    self = SocketPin(rules)
    self.generation = generation
    begin = index
    switch line?.event {
    case .wsEnd(_, let dir)?: end(dir, index)
    case .wsRefused?: isOver = true
    default: break
    }
  }

  /// An end that the recorded client made by itself is none to a machine that has another timeout.
  private mutating func end(_ dir: Direction?, _ index: Int) {
    if dir != .out || isClosing { isOver = true } else { since.append(index) }
  }

  private func isPing(_ event: TraceEvent) -> Bool {
    switch event {
    case .wsPing(.out, _, _): !rules.hasBeats
    case .wsMessage(let message): message.dir == .out && message.beat == .ping
    default: false
    }
  }

  /// A ping brings a machine in step that was not; a written one may differ from the machine's, and stands for none.
  private mutating func ping(_ index: Int) {
    if rules.isWritten { return since.append(index) }
    if !since.isEmpty { hasLoss = true }
    since = [index]
  }
}
