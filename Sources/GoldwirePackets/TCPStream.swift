internal import GoldwireBytes

/// One direction of a connection: which bytes come next, which wait beyond a hole, and how it ends.
///
/// Bytes are known by their sequence numbers. The first copy of each counts. A hole is given up when
/// the other side has acknowledged it after something beyond it was seen, when patience or a limit ends,
/// or when the capture does.
struct TCPStream: Sendable {
  struct State: OptionSet, Sendable {
    var rawValue: UInt16
    /// `next` and `first` are known.
    static let started = State(rawValue: 1)
    /// A SYN gave the first number.
    static let syn = State(rawValue: 2)
    /// That SYN had no ACK: its sender is the client.
    static let opener = State(rawValue: 4)
    /// The other side has acknowledged something.
    static let heard = State(rawValue: 8)
    /// The number of the FIN is known.
    static let fin = State(rawValue: 16)
    /// The stream has ended: nothing more comes out of it.
    static let ended = State(rawValue: 32)
    /// Segments are held.
    static let holding = State(rawValue: 64)
    /// Holes up to `abandoned` are given up.
    static let abandoning = State(rawValue: 128)
    /// They are given up because of a limit.
    static let limited = State(rawValue: 256)
    /// Everything is to come out, holes as gaps.
    static let finishing = State(rawValue: 512)
    /// An unknown number of bytes is missing at `next`.
    static let jumped = State(rawValue: 1024)
  }

  // What each segment looks at stands first; what waits beyond a hole, and old bytes, last.
  var state: State = []
  var end = SideFacts.End.open
  /// The window scale of this side's SYN.
  var scale: UInt8 = 0
  var strays: UInt8 = 0
  /// The sequence number of the stream's next byte, and of the one after the last seen.
  var next: UInt32 = 0
  var highest: UInt32 = 0
  /// What the other side expects next, once heard.
  var acknowledged: UInt32 = 0
  /// Bytes at `next` that the capture cut off.
  var cut = 0
  var lastProgress = Int.min
  var lastSegment = Int.min
  var lastNewByte = Int.min
  var delivered = 0
  /// The window that this side last advertised, in bytes.
  var window = 65_535
  /// The sequence number of the stream's first byte.
  var first: UInt32 = 0
  var fin: UInt32 = 0
  var abandoned: UInt32 = 0
  var held = HeldSegments()
  var holePackets = 0
  var holeSince = 0
  /// When the held bytes came that came out last.
  var poppedTime = 0
  var tail = DeliveredTail()

  /// Whether something can be pulled.
  @inline(__always)
  var isReady: Bool {
    if state.isDisjoint(with: [.holding, .fin, .finishing, .jumped]), cut == 0 { return false }
    if state.contains(.ended) { return false }
    if cut > 0 || !state.isDisjoint(with: [.jumped, .finishing]) { return true }
    guard state.contains(.started), let wait = waiting else { return false }
    return next.distance(toSequence: wait) <= 0 || isGivenUp(upTo: wait)
  }

  /// The number of what is known beyond `next`: the first segment held, else the FIN.
  @inline(__always)
  var waiting: UInt32? {
    if state.contains(.holding) { return held.start }
    return state.contains(.fin) && !state.contains(.ended) ? fin : nil
  }

  /// Begins the stream at a number.
  mutating func start(at number: UInt32) {
    state.insert(.started)
    first = number
    next = number
    highest = number
  }

  @inline(__always)
  func isGivenUp(upTo number: UInt32) -> Bool {
    state.contains(.finishing)
      || state.contains(.abandoning) && number.distance(toSequence: abandoned) >= 0
  }

  /// Takes the other side's acknowledgment.
  mutating func acknowledge(_ number: UInt32, at time: Int, limits: StreamLimits) {
    if state.contains(.heard) {
      guard acknowledged.distance(toSequence: number) > 0 else { return }
    }
    if state.contains(.started) {
      guard abs(next.distance(toSequence: number)) <= limits.sequenceWindow else { return }
      if state.contains(.heard) { lastProgress = time }
    }
    if state.isDisjoint(with: [.started, .heard]) { next = number }
    acknowledged = number
    state.insert(.heard)
    // The other side has what the capture has not: the hole will not be filled any more.
    guard state.contains(.started), let wait = waiting else { return }
    if next.distance(toSequence: wait) > 0, wait.distance(toSequence: number) >= 0 { abandon(upTo: number) }
  }

  /// Gives up all holes before a number.
  mutating func abandon(upTo number: UInt32, isLimit: Bool = false) {
    abandoned = number
    state.insert(.abandoning)
    if isLimit { state.insert(.limited) } else { state.remove(.limited) }
  }

  /// Gives up the first hole, because too much waits beyond it.
  mutating func giveUp() {
    if state.contains(.holding) { abandon(upTo: held.start, isLimit: true) }
  }

  /// Notes the FIN's number, at once or until its place is reached.
  mutating func finish(at number: UInt32) {
    guard state.isDisjoint(with: [.ended]) else { return }
    if !state.contains(.started) {
      // A FIN that was acknowledged before it was seen shows that the capture is out of order.
      let isLate = state.contains(.heard) && number.distance(toSequence: acknowledged) > 0
      if !isLate { start(at: expected(before: number)) }
    } else if next.distance(toSequence: number) < 0 {
      return
    }
    beginHole()
    fin = number
    state.insert(.fin)
  }

  /// What the other side expected when it was first heard, of a stream that has not started, if that is before `number`.
  func expected(before number: UInt32) -> UInt32 {
    state.contains(.heard) && (1...1_048_576).contains(next.distance(toSequence: number)) ? next : number
  }

  mutating func beginHole() {
    guard waiting == nil else { return }
    holePackets = 0
    holeSince = lastSegment
  }

  /// Counts a packet of the connection while a hole is open, and gives up where patience ends.
  mutating func wait(at time: Int, limits: StreamLimits) {
    guard state.contains(.started), !state.contains(.abandoning), let wait = waiting,
      next.distance(toSequence: wait) > 0
    else { return }
    holePackets &+= 1
    let age = time &- holeSince
    if state.contains(.heard) {
      guard wait.distance(toSequence: acknowledged) >= 0 else { return }
      if holePackets > limits.holePackets || age >= limits.holeWait { abandon(upTo: acknowledged) }
    } else if age >= limits.silentHoleWait {
      abandon(upTo: wait)
    }
  }

  /// How many bytes the other side acknowledged that were not seen here.
  var unseen: Int {
    guard state.contains(.heard), state.isDisjoint(with: [.ended]) else { return 0 }
    return max(0, next.distance(toSequence: acknowledged))
  }

  /// Whether the other side has acknowledged all that was seen.
  var isAllAcknowledged: Bool {
    !state.contains(.started) || highest == first
      || state.contains(.heard) && highest.distance(toSequence: acknowledged) >= 0
  }

  /// What is known of this direction.
  var facts: SideFacts {
    var facts = SideFacts()
    facts.sentSyn = state.contains(.opener)
    facts.acceptedSyn = state.contains(.syn) && !state.contains(.opener)
    facts.end = end
    facts.deliveredBytes = delivered
    facts.isAllAcknowledged = isAllAcknowledged
    facts.lastSegment = lastSegment == Int.min ? nil : lastSegment
    facts.lastNewByte = lastNewByte == Int.min ? nil : lastNewByte
    facts.lastProgress = lastProgress == Int.min ? nil : lastProgress
    facts.unseenBytes = unseen
    facts.unacknowledgedBytes =
      state.contains(.started)
      ? max(0, (state.contains(.heard) ? acknowledged : first).distance(toSequence: highest)) : 0
    facts.hasHole = state.contains(.holding)
    return facts
  }
}
