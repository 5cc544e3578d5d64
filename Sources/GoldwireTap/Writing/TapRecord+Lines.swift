internal import GoldwireTrace

/// What records are in the trace.
extension TapRecord {
  /// The instant on the tap's clock, in microseconds.
  var microseconds: Int { Bits.signed(instant) }

  /// The record's event; `start` is the instant of t = 0, `t` that of the line.
  func event(_ clock: TapClock, at t: Int) -> TraceEvent {
    switch kind {
    case .wsConnect, .wsAttach, .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsMessage, .wsClose,
      .wsEnd:
      socketEvent(clock, at: t)
    case .httpSend, .httpResponse, .httpBody, .httpError, .httpWait, .httpCancel, .httpStop:
      requestEvent(clock, at: t)
    case .sseConnect, .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseHandled, .sseCommit, .sseCut,
      .sseCancel:
      streamEvent(clock, at: t)
    case .appBackground: .appBackground
    case .appForeground: .appForeground
    case .appNetwork: .appNetwork(to: Network(code: a))
    case .appSession: .appSession(Int(clamping: a))
    case .recTick: .recTick
    case .recPause: .recPause(for: Int(clamping: a), slept: Bits.optional(b))
    case .recWall: .recWall(step: Bits.signed(a))
    case .recGap: .recGap(Gap(events: Bits.optional(a), why: GapReason(code: b)))
    case .recNote: .recNote(Note(code: a), rule: nil)
    }
  }

  /// The note that must follow the record's own line: a number that was out of range was left out.
  var note: Note? {
    switch kind {
    case .wsOpen where AnswerBits.status(a).isOut: .statusOut
    case .wsRefused where AnswerBits.status(b).isOut: .statusOut
    case .httpResponse where AnswerBits.status(b).isOut: .statusOut
    case .sseOpen where AnswerBits.status(b).isOut: .statusOut
    case .wsClose where b != 0 && !(1_000...4_999).contains(Bits.optional(b) ?? 0): .codeOut
    default: nil
    }
  }

  private func socketEvent(_ clock: TapClock, at t: Int) -> TraceEvent {
    let direction = Direction(code: a & 0xFF)
    switch kind {
    case .wsAttach: return .wsAttach
    case .wsOpen: return .wsOpen(status: AnswerBits.status(a).status, deflate: Bits.flag(b))
    case .wsRefused:
      let answer = AnswerBits(self)
      return .wsRefused(
        cause: Cause(code: a), status: AnswerBits.status(b).status, retry: answer.retry(clock.wall, at: t))
    case .wsPing: return .wsPing(dir: direction, id: Bits.optional(b), bytes: Bits.optional(c))
    case .wsPong: return .wsPong(dir: direction, id: Bits.optional(b), bytes: Bits.optional(c))
    case .wsPinged:
      return .wsPinged(
        id: Bits.optional(b), result: PingResult(code: a & 0xFF), cause: Cause.optional(a >> 8))
    case .wsMessage:
      let since = c == 0 ? nil : min(max(clock.t(of: Bits.signed(d)), 0), t)
      return .wsMessage(
        WSMessage(dir: direction, kind: MessageKind(code: a >> 8), bytes: Int(clamping: b), since: since))
    case .wsClose:
      let code = Bits.optional(b).flatMap { (1_000...4_999).contains($0) ? $0 : nil }
      return .wsClose(dir: direction, code: code, by: CloseActor.optional(a >> 8))
    case .wsEnd: return .wsEnd(cause: EndCause(code: a & 0xFF), dir: Direction.optional(a >> 8))
    default: return .wsConnect
    }
  }

  private func requestEvent(_ clock: TapClock, at t: Int) -> TraceEvent {
    let (req, attempt, hop) = Bits.attempt(a)
    switch kind {
    case .httpResponse:
      let answer = AnswerBits(self)
      return .httpResponse(
        HTTPResponse(
          req: req, attempt: attempt, hop: hop, status: AnswerBits.status(b).status,
          retry: answer.retry(clock.wall, at: t), type: answer.type, sse: answer.stream))
    case .httpBody:
      return .httpBody(
        HTTPBody(
          req: req, attempt: attempt, dir: Direction(code: b & 0xFF), bytes: Int(clamping: c),
          done: Bits.flag(b >> 8), differs: Differences(rawValue: UInt8(truncatingIfNeeded: b >> 16))))
    case .httpError:
      return .httpError(req: req, try: attempt, cause: Cause(code: b & 0xFF), sent: Bits.flag(b >> 8))
    case .httpWait:
      return .httpWait(req: req, try: attempt, for: Int(clamping: b), unit: Bits.optional(c))
    case .httpCancel: return .httpCancel(req: req)
    case .httpStop: return .httpStop(req: req, why: StopReason(code: b))
    default:
      return .httpSend(
        HTTPSend(
          req: req, attempt: attempt, hop: hop, method: Method(code: b & 0xFF), replayable: Bits.flag(b >> 8),
          key: Bits.optional(c), bytes: Bits.optional(d)))
    }
  }

  private func streamEvent(_ clock: TapClock, at t: Int) -> TraceEvent {
    switch kind {
    case .sseOpen:
      let answer = AnswerBits(self)
      return .sseOpen(
        status: AnswerBits.status(b).status, type: answer.type, retry: answer.retry(clock.wall, at: t))
    case .sseEvent:
      return .sseEvent(
        n: Int(clamping: a), id: Bits.optional(b), rev: max(1, Int(clamping: c)), bytes: Int(clamping: d))
    case .sseID: return .sseID(id: Int(clamping: a))
    case .sseComment: return .sseComment
    case .sseRetry: return .sseRetry(ms: Int(clamping: a))
    case .sseHandled: return .sseHandled(n: Int(clamping: a), ok: b != 0)
    case .sseCommit: return .sseCommit(cursor: Int(clamping: a))
    case .sseCut:
      return .sseCut(
        cause: CutCause(code: a & 0xFF), dir: Direction(code: a >> 8), partial: Int(clamping: b))
    case .sseCancel: return .sseCancel
    default: return .sseConnect(cursor: Bits.optional(a))
    }
  }
}

/// When the recording began, on both clocks.
struct TapClock: Sendable {
  /// The instant of t = 0, in microseconds.
  let start: Int
  /// The wall clock at t = 0.
  let wall: WallClock

  /// Microseconds since the recording began.
  func t(of microseconds: Int) -> Int {
    let (t, overflow) = microseconds.subtractingReportingOverflow(start)
    return overflow ? (microseconds < 0 ? .min : .max) : t
  }
}
