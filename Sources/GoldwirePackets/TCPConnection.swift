internal import GoldwireBytes

/// Both directions of one connection.
struct TCPConnection: Sendable {
  enum Phase: UInt8, Sendable {
    case free
    case open
    /// Both streams have ended; kept so that stragglers are known.
    case closed
    /// Displaced: it can be drained until the next segment comes.
    case leaving
  }

  // What each segment looks at stands first, so that it lies together; the streams follow.
  let key: FlowKey
  var phase = Phase.open
  var lastSender = Side.first
  /// The side that sent an RST, or refused, until that was pulled.
  var resetBy: Side?
  var isRefused = false
  var isUnreachable = false
  /// Counts the connections that an index had.
  var serial: UInt32
  var lastTime: Int
  /// The side that sent an RST whose number is not quite the next, and that number, until it is settled.
  var doubtful: (number: UInt32, side: Side)?
  var first = TCPStream()
  var second = TCPStream()

  init(key: FlowKey, serial: UInt32, at time: Int) {
    self.key = key
    self.serial = serial
    lastTime = time
  }

  /// Whether something can be pulled.
  @inline(__always)
  var isReady: Bool { first.isReady || second.isReady || resetBy != nil }

  /// Whether both streams have ended.
  @inline(__always)
  var hasEnded: Bool { first.state.contains(.ended) && second.state.contains(.ended) }

  @inline(__always)
  var heldBytes: Int {
    // Looking at the flags alone is the common case, and spares two cache lines.
    if first.state.union(second.state).isDisjoint(with: [.holding]) { return 0 }
    return first.held.byteCount &+ second.held.byteCount
  }

  /// What an opening segment is to this connection.
  enum Opening { case fits, other, stray }

  /// Whether a SYN belongs here, opens another connection on the same ports, or is nothing.
  func opening(_ segment: Segment) -> Opening {
    let own = segment.sender == .first ? first : second
    let other = segment.sender == .first ? second : first
    let begin = segment.sequence &+ 1
    if segment.flags.contains(.ack), other.state.contains(.syn) {
      // Only an answer to the SYN that was seen counts.
      let answered = other.first.distance(toSequence: segment.acknowledgment)
      guard answered >= 0, answered <= 65_535 else { return .stray }
    }
    if own.state.contains(.syn) {
      if begin == own.first { return .fits }
      let isAgain = segment.flags.contains(.ack) && own.delivered == 0 && !own.state.contains(.heard)
      return isAgain ? .fits : .other
    }
    if own.state.contains(.started) {
      return (0...65_536).contains(begin.distance(toSequence: own.first)) ? .fits : .other
    }
    if own.state.contains(.heard) {
      return (0...1_048_576).contains(begin.distance(toSequence: own.acknowledged)) ? .fits : .other
    }
    return .fits
  }

  /// Whether a segment after the end can only be from a later connection on the same ports.
  func isReuse(_ segment: Segment) -> Bool {
    guard phase == .closed, segment.length > 0, !segment.flags.contains(.rst) else { return false }
    let own = segment.sender == .first ? first : second
    return own.state.contains(.started)
      && abs(own.next.distance(toSequence: segment.sequence)) > 1_048_576
  }

  /// Takes a segment that belongs here.
  mutating func take(
    _ segment: Segment, in bytes: Span<UInt8>, at time: Int, limits: StreamLimits, _ arrival: inout Arrival
  ) {
    lastSender = segment.sender
    lastTime = time
    let isFirst = segment.sender == .first
    if isFirst {
      Self.exchange(segment, bytes, time, limits, &first, &second, &arrival)
    } else {
      Self.exchange(segment, bytes, time, limits, &second, &first, &arrival)
    }
    if resetBy == nil, phase == .open {
      if segment.flags.contains(.rst) {
        judge(segment, isFirst ? first.reset(segment, other: second) : second.reset(segment, other: first))
      } else if let doubt = doubtful {
        settle(doubt.side, doubt.number, segment, brought: arrival.count)
      }
    }
    arrival.isPending = isReady
  }

  /// Takes an RST for what it was judged to be.
  private mutating func judge(_ segment: Segment, _ kind: TCPStream.Reset) {
    switch kind {
    case .invalid: break
    case .abort:
      if segment.flags.contains(.ack) { believe(segment) }
      reset(by: segment.sender, isRefused: false)
    case .refusal: reset(by: segment.sender, isRefused: true)
    case .doubtful:
      // A receiver asks back (RFC 5961 section 3.2); a second one from the same side is the answer.
      if doubtful?.side == segment.sender {
        return reset(by: segment.sender, isRefused: false, upTo: segment.sequence)
      }
      doubtful = (segment.sequence, segment.sender)
    }
  }

  /// Holds a doubtful RST against a later segment.
  private mutating func settle(_ side: Side, _ number: UInt32, _ segment: Segment, brought: Int) {
    if segment.sender == side {
      // The stream goes on: the RST was not its own.
      if brought > 0 { doubtful = nil }
      return
    }
    let own = side == .first ? first : second
    // The other side has everything before it: it was in its place, and the capture lost what came before.
    if own.state.contains(.heard), own.acknowledged.distance(toSequence: number) <= 0 {
      reset(by: side, isRefused: false)
    }
  }

  /// Takes the acknowledgment of an RST that counts: what it covers and was not seen is missing.
  private mutating func believe(_ segment: Segment) {
    let number = segment.acknowledgment
    if segment.sender == .first {
      second.expect(number, within: max(first.window, 65_535))
    } else {
      first.expect(number, within: max(second.window, 65_535))
    }
  }

  /// Ends both streams because one side said so; what is held comes out before, and what is missing up to `number`.
  mutating func reset(by side: Side, isRefused refused: Bool, upTo number: UInt32? = nil) {
    if let number {
      if side == .first { first.expect(number) } else { second.expect(number) }
    }
    doubtful = nil
    resetBy = side
    isRefused = refused
    finish()
  }

  /// Lets everything come out.
  mutating func finish() {
    if let doubt = doubtful, resetBy == nil, !hasEnded {
      return reset(by: doubt.side, isRefused: false, upTo: doubt.number)
    }
    first.state.insert(.finishing)
    second.state.insert(.finishing)
  }

  /// What comes out next, or nil.
  mutating func pull(into buffer: inout [UInt8]) -> StreamPiece? {
    // What the segment acknowledged comes before what it brought.
    let isFirstSender = lastSender == .first
    if let piece = isFirstSender ? second.pull(.second, into: &buffer) : first.pull(.first, into: &buffer) {
      return piece
    }
    if let piece = isFirstSender ? first.pull(.first, into: &buffer) : second.pull(.second, into: &buffer) {
      return piece
    }
    guard let side = resetBy else { return nil }
    resetBy = nil
    // What came of the same segment has ended both in good order.
    if hasEnded { return nil }
    first.abort(side == .first, isRefused: isRefused)
    second.abort(side == .second, isRefused: isRefused)
    return isRefused ? .refused(side, unreachable: isUnreachable) : .reset(side)
  }

  /// The steps of one segment, between its sender's stream and the other one.
  private static func exchange(
    _ segment: Segment, _ bytes: Span<UInt8>, _ time: Int, _ limits: StreamLimits, _ own: inout TCPStream,
    _ other: inout TCPStream, _ arrival: inout Arrival
  ) {
    let flags = segment.flags
    var number = segment.sequence
    own.lastSegment = time
    if flags.contains(.syn) {
      number &+= 1
      own.open(at: number, segment)
      if flags.contains(.ack), !other.state.contains(.started) { other.start(at: segment.acknowledgment) }
    }
    if !flags.contains(.rst) {
      // The numbers of an RST are not believed before it is judged.
      if flags.contains(.ack) { other.acknowledge(segment.acknowledgment, at: time, limits: limits) }
      own.window = Int(segment.window) << (flags.contains(.syn) ? 0 : Int(own.scale))
      if segment.length > 0 {
        let placement = own.place(
          bytes.extracting(segment.range), length: segment.length, from: number,
          mustWait: own.isReady || other.isReady, isOpeningSeen: other.state.contains(.syn), at: time,
          limits: limits)
        arrival.skip = placement.skip
        arrival.count = placement.count
        arrival.isConflict = placement.isConflict
      }
      if flags.contains(.fin) { own.finish(at: number.advanced(bySequence: segment.length)) }
    }
    if own.isWaiting { own.wait(at: time, limits: limits) }
    if other.isWaiting { other.wait(at: time, limits: limits) }
  }
}
