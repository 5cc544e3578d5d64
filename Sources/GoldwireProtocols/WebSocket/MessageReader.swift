import GoldwireBytes

/// Follows the content of one direction's messages: checks text, inflates what is compressed, counts.
struct MessageReader {
  /// The most bytes that are unmasked or inflated at once.
  private static let pieceBytes: Int = 4_096

  private let inflater: (any Inflating)?
  private let startsAfresh: Bool
  private let limits: WebSocketLimits
  /// Whether earlier compressed data is missing that later messages may point back to.
  private(set) var isWindowLost: Bool

  /// Whether a message has begun and not ended.
  private(set) var isOpen: Bool = false
  /// The content of the open message, as far as it is kept.
  var kept: [UInt8] = []

  private var kind: WebSocketKind = .text
  private var since: Int = 0
  /// The bytes of the open message so far.
  private(set) var bytes: Int = 0
  private var frames: Int = 0
  private var inflated: Int = 0
  private var isCompressed: Bool = false
  private var hasEnded: Bool = false
  private var content: WebSocketMessage.Content = .read
  private var text: UTF8Checker = UTF8Checker()
  private var plain: [UInt8] = []
  private var output: [UInt8] = []

  init(inflater: (any Inflating)?, startsAfresh: Bool, isWindowLost: Bool, limits: WebSocketLimits) {
    self.inflater = inflater
    self.startsAfresh = startsAfresh
    self.isWindowLost = isWindowLost && !startsAfresh
    self.limits = limits
  }

  /// Begins a message; `isReadable` is false if an unknown extension may have changed its content.
  mutating func open(_ kind: WebSocketKind, isCompressed: Bool, isReadable: Bool, since: Int) {
    self.kind = kind
    self.since = since
    self.isCompressed = isCompressed
    (bytes, frames, inflated) = (0, 0, 0)
    hasEnded = false
    text = UTF8Checker()
    kept.removeAll(keepingCapacity: true)
    isOpen = true
    content = isReadable ? .read : .undecodable
    guard isCompressed else { return }
    if inflater == nil || isWindowLost { content = .undecodable }
    if content != .read { loseWindow() }
    if startsAfresh { inflater?.reset() }
  }

  /// Counts one more frame.
  mutating func countFrame() { frames = frames.addingClamped(1) }

  /// Takes a piece of payload, its mask's first byte lowest.
  mutating func add(_ piece: Span<UInt8>, mask: UInt32) {
    bytes = bytes.addingClamped(piece.count)
    guard content == .read else { return }
    guard isCompressed else {
      take(piece, mask: mask)
      return
    }
    guard mask != 0 else {
      inflate(piece)
      return
    }
    var start = 0
    while start < piece.count {
      let count = min(MessageReader.pieceBytes & ~3, piece.count &- start)
      var plain: [UInt8] = []
      swap(&plain, &self.plain)
      plain.removeAll(keepingCapacity: true)
      plain.append(piece.extracting(start..<(start &+ count)), mask: mask)
      inflate(plain.span)
      swap(&plain, &self.plain)
      start &+= count
    }
  }

  /// Counts over payload that the recording misses.
  mutating func skip(_ count: Int) {
    bytes = bytes.addingClamped(count)
    content = .undecodable
    if isCompressed { loseWindow() }
  }

  /// Ends the message; gives the rule that its content broke, if any.
  mutating func close() -> (message: WebSocketMessage, rule: ProtocolRule?) {
    isOpen = false
    var rule: ProtocolRule?
    if isCompressed, content == .read, !hasEnded {
      let tail: [UInt8] = [0, 0, 0xFF, 0xFF]
      inflate(tail.span)
    }
    if content == .invalid {
      rule = .wsInflate
    } else if content == .read, kind == .text, !text.isWhole {
      content = .invalid
      rule = .wsUTF8
    }
    let isKnown = content == .read || rule == .wsUTF8
    let message = WebSocketMessage(
      kind: kind, bytes: bytes, inflated: isCompressed ? (isKnown ? inflated : nil) : bytes, since: since,
      frames: frames, isCompressed: isCompressed, content: content)
    return (message, rule)
  }

  /// Gives up the open message, and what it had in common with later ones.
  mutating func abandon() {
    if isOpen, isCompressed { loseWindow() }
    isOpen = false
  }

  /// Says that compressed data is missing.
  mutating func loseWindow() { isWindowLost = !startsAfresh }

  private mutating func take(_ piece: Span<UInt8>, mask: UInt32) {
    if kind == .text { text.add(piece, mask: mask) }
    let room = limits.keptBytes &- kept.count
    if room > 0 { kept.append(piece.extracting(0..<min(room, piece.count)), mask: mask) }
  }

  private mutating func inflate(_ input: Span<UInt8>) {
    guard let inflater, !hasEnded else { return }
    var index = 0
    var output: [UInt8] = []
    swap(&output, &self.output)
    defer { swap(&output, &self.output) }
    while true {
      output.removeAll(keepingCapacity: true)
      var step = InflateStep(consumed: 0, status: .failed)
      var isFilled = false
      let rest = input.extracting(index..<input.count)
      output.append(addingCapacity: MessageReader.pieceBytes) { out in
        step = inflater.inflate(rest, into: &out)
        isFilled = out.freeCapacity == 0
      }
      index &+= min(max(step.consumed, 0), rest.count)
      inflated = inflated.addingClamped(output.count)
      take(output.span, mask: 0)
      if inflated > limits.inflatedBytes { return fail(.tooLong) }
      switch step.status {
      case .failed: return fail(.invalid)
      case .limit: return fail(.tooLong)
      case .ended:
        // A final block (RFC 7692 section 7.2.3.4); the next message may point back to before it.
        hasEnded = true
        inflater.goOn()
        return
      case .more:
        if index >= input.count, !isFilled { return }
        if step.consumed <= 0, output.isEmpty { return fail(.invalid) }
      }
    }
  }

  private mutating func fail(_ content: WebSocketMessage.Content) {
    self.content = content
    loseWindow()
  }
}
