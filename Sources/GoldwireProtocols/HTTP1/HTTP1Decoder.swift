import GoldwireBytes

/// The decoder of one direction of an HTTP/1 connection (RFC 9112): bytes in pieces of any size, events on demand.
///
///     while let event = decoder.next(bytes, &offset, exchanges: &exchanges) { … }
///
/// Bodies are counted through and handed on as ranges; only an incomplete head is held back. A head that breaks a rule is
/// still reported where it can be read. Where no message starts, bytes are skipped up to the next line that starts one;
/// where a body's end cannot be told, the direction is not decoded further.
public struct HTTP1Decoder: Sendable {
  @usableFromInline
  enum State: Equatable, Sendable {
    /// At a message's start: to any of the others.
    case start
    /// In a start line that is held back: to `fields`, `garbage`, `switching`.
    case startLine
    /// In field lines that are held back: to `start` or a body.
    case fields
    /// In a body of which so many bytes are to come: to `start`.
    case length(Int)
    /// In a chunked body: to `start` or `stopped`.
    case chunks
    /// In a body up to the end of the connection: to `stopped`.
    case untilClose
    /// After the head of a response whose request is not known: to its body, or to `start`.
    case uncertain
    /// Before a body that waits for the server's word, of which bytes may be held: to it, `heldLine` or `fields`.
    case expecting(holds: Bool)
    /// Behind a body of so many bytes that was held back with what follows it: to `start`, `fields` or `garbage`.
    case heldLine(Int)
    /// In a line that starts no message: to `start`.
    case garbage
    /// About to say that the protocol is another: to `switched`.
    case switching(HTTP1Successor)
    /// Final.
    case switched
    /// Final.
    case stopped
  }

  // What each step looks at stands first, so that it lies together.
  @usableFromInline
  var state: State = .start
  /// The side that is read.
  public let role: HTTP1Role
  /// Whether a message's start is being looked for, after a gap or garbage.
  public internal(set) var isResynchronising: Bool = false
  var isHeadHeld: Bool = false
  // What is still to be told, in this order, before bytes are looked at again.
  var owesHead: Bool = false
  var rules: RuleList = RuleList()
  var owedLimit: HTTP1Limits.Name?
  var owedEnd: HTTP1End?
  var bodyBytes: Int = 0
  var chunks: ChunkReader = ChunkReader()
  /// The limits in force.
  public let limits: HTTP1Limits
  /// Bytes held back until a head is complete; after a switch, those that belong to the other protocol.
  public internal(set) var held: [UInt8] = []

  /// The facts of the latest head.
  public internal(set) var head: HTTP1Head = HTTP1Head()
  var scanner: HeadScanner = HeadScanner()
  var headStart: Int = 0
  var skipped: Int = 0
  var bodyLost: Int = 0

  /// Makes a decoder for the start of a connection, or for its middle at a message's start.
  public init(_ role: HTTP1Role, limits: HTTP1Limits = HTTP1Limits()) {
    self.role = role
    self.limits = limits
  }

  /// Whether the direction speaks another protocol now; the decoder takes no more bytes.
  public var isSwitched: Bool { state == .switched }

  /// Whether a body is being read, so that nothing of a head is held back.
  @inlinable
  public var isInBody: Bool {
    switch state {
    case .length, .chunks, .untilClose: true
    default: false
    }
  }

  /// Whether all messages so far are over, and none was begun.
  public var isBetweenMessages: Bool { state == .start && !isResynchronising }

  /// Whether the latest head was a response's that has a body only if its request was no HEAD, which is not known.
  public var isUncertain: Bool { state == .uncertain }

  /// Whether a framing error or the end of the direction ended decoding; further bytes are swallowed.
  public var isStopped: Bool { state == .stopped }

  /// Takes bytes from `offset` on and gives the next event, or nil when it needs more.
  ///
  /// After nil `offset` is at the end of `bytes`, except after a switch, which leaves it at the other protocol's first byte.
  public mutating func next(
    _ bytes: Span<UInt8>, _ offset: inout Int, exchanges: inout HTTP1Exchanges
  ) -> HTTP1Event? {
    while true {
      if let event = owed() { return event }
      switch state {
      case .start:
        if exchanges.isOver {
          state = .stopped
          continue
        }
        if let event = start(bytes, &offset, &exchanges) { return event }
        if state == .start { return nil }
      case .startLine:
        guard offset < bytes.count || exchanges.successor != nil else { return nil }
        startLine(bytes, &offset, &exchanges)
      case .fields:
        guard offset < bytes.count else { return nil }
        if let event = fields(bytes, &offset, &exchanges) { return event }
      case .length, .chunks, .untilClose:
        guard let event = body(bytes, &offset) else {
          if owedEnd == nil, owedLimit == nil, rules.isEmpty { return nil }
          continue
        }
        return event
      case .expecting(let holds):
        guard offset < bytes.count else { return nil }
        if let event = expecting(bytes, &offset, exchanges, holds: holds) { return event }
      case .heldLine(let count): heldLine(after: count, &exchanges)
      case .uncertain:
        guard offset < bytes.count else { return nil }
        uncertain(bytes[offset])
      case .garbage:
        guard offset < bytes.count else { return nil }
        garbage(bytes, &offset)
      case .switching(let successor):
        if isHeadHeld { clearHeld() }
        isHeadHeld = false
        state = .switched
        return .switched(successor)
      case .switched:
        return nil
      case .stopped:
        exchanges.stop(role, head.exchange, swallows: offset < bytes.count)
        offset = bytes.count
        return nil
      }
    }
  }

  /// Says that the direction ended; call it until it gives nil.
  public mutating func finish() -> HTTP1Event? {
    if let event = owed() { return event }
    switch state {
    case .length, .chunks: endBody(isComplete: false)
    case .expecting(let holds): finishExpecting(holds: holds)
    case .untilClose: endBody(isComplete: true)
    case .start, .startLine, .fields, .heldLine, .uncertain, .garbage, .switching, .switched, .stopped: break
    }
    if state != .switched, state != .uncertain { state = .stopped }
    return owed()
  }

  /// Says that the recording misses the next `count` bytes, or an unknown number of them if nil.
  ///
  /// A gap inside a body, or a chunk, of known length is counted over. Any other one ends the body, and a message's start is
  /// looked for from there on; which request a response answers is then no longer sure, see ``HTTP1Exchanges``.
  public mutating func lost(_ count: Int?, exchanges: inout HTTP1Exchanges) -> GapOutcome {
    let count = count.map { max($0, 0) }
    if count == 0 { return .counted }
    // Whether what is missing starts where a message starts.
    var begins = !isResynchronising && count != nil
    if case .expecting(let holds) = state { giveUpExpecting(holds: holds) }
    switch state {
    case .stopped, .switched, .switching: return .ignored
    case .untilClose:
      addLost(count ?? 0)
      return .counted
    case .length(let rest):
      guard let count, count <= rest else {
        if count != nil { addLost(rest) }
        begins = count != nil
        endBody(isComplete: count != nil)
        break
      }
      addLost(count)
      state = .length(rest &- count)
      return .counted
    case .chunks:
      if let count, chunks.skip(count) {
        addLost(count)
        return .counted
      }
      begins = false
      endBody(isComplete: false)
    case .uncertain: begins = false
    case .start, .startLine, .fields, .expecting, .heldLine, .garbage: break
    }
    exchanges.headsLost(role, begins: begins)
    clearHeld()
    if !isResynchronising { skipped = 0 }
    isResynchronising = true
    state = .start
    return .resynchronising
  }

  /// Gives `body` the bytes of the head whose event came last; `bytes` is the span that was passed to that step.
  @inlinable
  public func withHead<Result>(_ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result) -> Result {
    guard let place = headPlace else { return body(held.span) }
    return body(bytes.extracting(min(place.lowerBound, bytes.count)..<min(place.upperBound, bytes.count)))
  }

  /// Where the latest head lies in the span that was passed; nil if it was held back.
  public var headPlace: Range<Int>? { isHeadHeld ? nil : headStart..<(headStart &+ head.bytes) }
}
