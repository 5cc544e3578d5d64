import GoldwireMachines
import GoldwireTap
import GoldwireTrace

/// What comes in: callbacks of transports, and the timer.
extension HeartbeatDriver {
  /// Makes the inbox of a connection; it holds the driver only weakly.
  func inbox(for link: HeartbeatLink) -> WebSocketInbox {
    let mailbox = mailbox
    return WebSocketInbox { [weak self] event in
      if mailbox.put(.transport(event), for: link) { Task { [weak self] in await self?.takeMail() } }
    } room: {
      await mailbox.room()
    }
  }

  /// Reads all callbacks that have come, in their order.
  func takeMail() {
    for letter in mailbox.take() {
      let now = instant(letter.instant)
      read(letter, at: now)
      settle(now)
    }
  }

  /// An instant that is not before any that the machine was given.
  func instant(_ stamp: TapInstant? = nil) -> TapInstant {
    last = max(last, stamp ?? clock.now)
    return last
  }

  /// Gives one input to the machine, notes it, and carries out what the machine asks for.
  func give(
    _ event: Heartbeat.Event, as entry: HeartbeatLog.Event, of generation: Int, at now: TapInstant
  ) {
    let before = machine.phase
    var asked: Heartbeat.Action?
    machine.handle(event, at: now.microseconds) { asked = $0 }
    note(entry, generation, now, from: before)
    if let asked { carryOut(asked, at: now, from: before) }
  }

  /// Lets the machine act on the passing of time.
  func tick(at now: TapInstant) {
    guard let live else { return }
    live.link.tap?.tick(at: now)
    let before = machine.phase
    var asked: Heartbeat.Action?
    machine.tick(at: now.microseconds) { asked = $0 }
    note(.tick, live.link.generation, now, from: before)
    if let asked { carryOut(asked, at: now, from: before) }
  }

  /// Writes an entry of the log.
  func note(
    _ event: HeartbeatLog.Event, _ generation: Int, _ now: TapInstant, from before: Heartbeat.Phase
  ) {
    log?(
      HeartbeatLog(
        generation: generation, event: event, instant: now, before: before, after: machine.phase))
  }
}

// MARK: - Callbacks

extension HeartbeatDriver {
  private func read(_ letter: HeartbeatMailbox.Letter, at now: TapInstant) {
    let link = letter.link
    switch letter.content {
    case .transport(let event): read(event, link, now)
    case .pinged(let ordinal, let completion): complete(ordinal, completion, link, now)
    case .repeatedCompletion: note(.repeatedCompletion, link.generation, now, from: machine.phase)
    case .sent(let number, let isSent): finishSend(number, isSent ? nil : .failed)
    case .flooded:
      link.tap?.ended(.error, at: now)
      give(.ended(link.generation, .error, code: nil), as: .flooded, of: link.generation, at: now)
    }
  }

  private func read(_ event: WebSocketTransportEvent, _ link: HeartbeatLink, _ now: TapInstant) {
    let generation = link.generation
    switch event {
    case .opened(let deflate):
      link.tap?.opened(status: 101, deflate: deflate, at: now)
      let wasConnecting = machine.phase == .connecting
      give(.opened(generation), as: .opened, of: generation, at: now)
      if wasConnecting, machine.phase == .open { tell(.opened(generation: generation)) }
    case .refused(let refusal):
      link.tap?.refused(refusal.cause, answer: refusal.answer, at: now)
      if live?.link.generation == generation { live?.refusal = refusal }
      give(.ended(generation, .refused, code: nil), as: .refused, of: generation, at: now)
    case .pong(let ordinal, let bytes):
      link.tap?.pongReceived(ordinal.map(PingOrdinal.init(number:)), bytes: bytes, at: now)
      let isAnswer = completeAwaited(ordinal, of: generation)
      give(
        .pong(generation, id: ordinal), as: isAnswer ? .pinged(.ok) : .strayPong, of: generation, at: now)
    case .pingReceived(_, let bytes):
      link.tap?.pingReceived(bytes: bytes, at: now)
      give(.inbound(generation), as: .peerPing, of: generation, at: now)
    case .pongSent(let ordinal, let bytes):
      link.tap?.pongSent(PingOrdinal(number: ordinal), bytes: bytes, at: now)
    case .message(let content): read(content, link, now)
    case .closeReceived(let code):
      link.tap?.closeReceived(code: code, at: now)
      let code = code.flatMap { (1_000...4_999).contains($0) ? $0 : nil }
      give(.ended(generation, .peerClosed, code: code), as: .peerClose, of: generation, at: now)
    case .closeSent(let code):
      // While the connection lives, such a line would read as a close that somebody asked for.
      if !isCurrent(generation) { link.tap?.closeSent(code: code, by: .unknown, at: now) }
    case .ended(let cause, let direction):
      // An end of the transport's own without a close before it would read as a close that somebody asked for.
      let isUnasked = direction == .out && isCurrent(generation)
      link.tap?.ended(cause, isUnasked ? nil : direction, at: now)
      give(
        .ended(generation, Heartbeat.Cause(cause), code: nil), as: .transportEnd, of: generation, at: now)
    }
  }

  private func read(_ content: WebSocketContent, _ link: HeartbeatLink, _ now: TapInstant) {
    let generation = link.generation
    link.tap?.message(.in, content.kind, bytes: content.byteCount, at: now)
    give(.inbound(generation), as: .message, of: generation, at: now)
    guard isCurrent(generation) else { return }
    let isKept = tell(.message(generation: generation, content))
    if !isKept, limits.overflow == .close { closeByUser(.policyViolation, at: now) }
  }

  /// Whether a callback is of the connection that there is, and that has not ended.
  private func isCurrent(_ generation: Int) -> Bool {
    generation == machine.generation && machine.phase != .idle
  }

  private func complete(
    _ ordinal: Int, _ completion: WebSocketPingCompletion, _ link: HeartbeatLink, _ now: TapInstant
  ) {
    let generation = link.generation
    let (result, cause) = completion.words
    link.tap?.pinged(PingOrdinal(number: ordinal), result: result, cause: cause, at: now)
    let own = Heartbeat.PingResult(completion)
    let isAnswer = completeAwaited(ordinal, of: generation)
    give(
      .pinged(generation, id: ordinal, own), as: isAnswer ? .pinged(own) : .repeatedCompletion,
      of: generation, at: now)
  }

  /// Whether the ping is the one that has not been completed; it is now.
  private func completeAwaited(_ ordinal: Int?, of generation: Int) -> Bool {
    guard live?.link.generation == generation, let awaited = live?.awaited else { return false }
    guard ordinal == nil || ordinal == awaited else { return false }
    live?.awaited = nil
    return true
  }
}

extension Heartbeat.Cause {
  fileprivate init(_ cause: EndCause) {
    switch cause {
    case .fin: self = .fin
    case .reset: self = .reset
    case .error: self = .error
    case .timeout: self = .timeout
    }
  }
}

extension Heartbeat.PingResult {
  fileprivate init(_ completion: WebSocketPingCompletion) {
    switch completion {
    case .ok: self = .ok
    case .error: self = .error
    case .cancelled: self = .cancelled
    }
  }
}

extension WebSocketPingCompletion {
  fileprivate var words: (PingResult, GoldwireTrace.Cause?) {
    switch self {
    case .ok: (.ok, nil)
    case .error(let cause): (.error, cause)
    case .cancelled: (.cancelled, nil)
    }
  }
}

extension WebSocketContent {
  var kind: MessageKind {
    switch self {
    case .text: .text
    case .binary: .binary
    }
  }
}
