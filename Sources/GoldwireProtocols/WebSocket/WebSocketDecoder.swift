import GoldwireBytes

/// The decoder of one direction of a WebSocket connection (RFC 6455, with permessage-deflate of RFC 7692).
///
///     while let event = decoder.next(bytes, &offset, at: now) { … }
///
/// Nothing is put together: payloads are checked, inflated and counted as they pass. A frame that breaks a rule is still
/// reported, and the rule's event follows it. Only a length that cannot be ends decoding.
public struct WebSocketDecoder {
  enum State: Equatable {
    /// In a frame's head.
    case head
    /// In a frame's payload.
    case payload
    /// After a gap: segments are skipped until one holds whole frames.
    case lost
    /// Final.
    case stopped
  }

  /// Who sends the frames.
  public let peer: WebSocketPeer
  /// The limits in force.
  public let limits: WebSocketLimits
  /// The content that the latest event is about: a control frame's payload, or a message's, as far as it is kept.
  ///
  /// It is whole if it has as many bytes as the event says. For comparison in memory only.
  public internal(set) var payload: [UInt8] = []
  /// Whether a close frame was seen.
  public internal(set) var isClosed: Bool = false

  let isDeflateAgreed: Bool
  let hasOtherExtensions: Bool
  let isHandshakeKnown: Bool
  var state: State = .head
  var partialHead: [UInt8] = []
  var frame: WebSocketFrameHead = WebSocketFrameHead()
  var position: Int = 0
  var rest: Int = 0
  var since: Int = 0
  var skipped: Int = 0
  var hasControlGap: Bool = false
  /// Whether the start of the message that continuations belong to was not seen.
  var isOrphaned: Bool
  var messages: MessageReader
  var rules: RuleList = RuleList()
  var owedLimit: WebSocketLimits.Name?

  /// Makes a decoder for the first frame after a handshake.
  ///
  /// `extensions` are those that the server agreed to. `inflater` (raw deflate) is needed only if permessage-deflate is
  /// among them; without it compressed messages are undecodable. `inMiddle` says that earlier frames were not seen, so that
  /// the compression window is not known.
  public init(
    from peer: WebSocketPeer, extensions: WebSocketExtensions = WebSocketExtensions(),
    inflater: (any Inflating)? = nil, inMiddle: Bool = false, limits: WebSocketLimits = WebSocketLimits()
  ) {
    self.peer = peer
    self.limits = limits
    isDeflateAgreed = extensions.deflate != nil
    hasOtherExtensions = extensions.others > 0
    isHandshakeKnown = !inMiddle || extensions.deflate != nil || extensions.others > 0
    isOrphaned = inMiddle
    messages = MessageReader(
      inflater: inflater, startsAfresh: extensions.deflate?.startsAfresh(peer) ?? false,
      isWindowLost: inMiddle, limits: limits)
  }

  /// Whether decoding ended: a frame's length is not possible; further bytes are swallowed.
  public var isStopped: Bool { state == .stopped }

  /// The payload bytes so far of a message that has begun and not ended; 0 outside one.
  public var openMessageBytes: Int { messages.isOpen ? messages.bytes : 0 }

  /// Whether a frame's start is being looked for after a gap.
  public var isResynchronising: Bool { state == .lost }

  /// Takes bytes from `offset` on and gives the next event, or nil when it needs more.
  ///
  /// `now` is the instant of these bytes; a message carries that of its first byte. Give whole segments where there are any:
  /// after a gap frames are found again at a segment's start.
  public mutating func next(_ bytes: Span<UInt8>, _ offset: inout Int, at now: Int) -> WebSocketEvent? {
    while true {
      if let limit = owedLimit {
        owedLimit = nil
        return .limit(limit)
      }
      if state != .payload, let rule = rules.removeFirst() { return .broken(rule) }
      switch state {
      case .head:
        guard offset < bytes.count else { return nil }
        head(bytes, &offset, now)
      case .payload:
        guard rest == 0 || offset < bytes.count else { return nil }
        payload(bytes, &offset)
        if rest == 0 {
          state = .head
          if let event = endFrame() { return event }
        }
      case .lost:
        guard offset < bytes.count else { return nil }
        let found = WebSocketRecognition.structure(bytes.extracting(offset..<bytes.count))
        guard let found, peer == .unknown || peer == found else {
          skipped = skipped.addingClamped(bytes.count &- offset)
          offset = bytes.count
          return nil
        }
        state = .head
        return .resumed(skipped: skipped)
      case .stopped:
        offset = bytes.count
        return nil
      }
    }
  }

  /// Says that the recording misses the next `count` bytes, or an unknown number of them if nil.
  ///
  /// A gap inside a payload is counted over, and its message is undecodable. After any other one frames are looked for at the
  /// start of each segment. With context takeover no compressed message after a gap can be read.
  public mutating func lost(_ count: Int?) -> GapOutcome {
    guard state != .stopped else { return .ignored }
    let count = count.map { max($0, 0) }
    if count == 0 { return .counted }
    if state == .payload, let count, count <= rest {
      rest &-= count
      position = position.addingClamped(count)
      if frame.isControl {
        hasControlGap = true
      } else if messages.isOpen {
        messages.skip(count)
      }
      return .counted
    }
    if state != .lost { skipped = 0 }
    messages.abandon()
    if isDeflateAgreed { messages.loseWindow() }
    partialHead.removeAll(keepingCapacity: true)
    isOrphaned = true
    state = .lost
    return .resynchronising
  }
}
