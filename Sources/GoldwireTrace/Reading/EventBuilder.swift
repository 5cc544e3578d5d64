/// Builds events from their fields; the keys are asked for in canonical order.
extension FieldSource {
  /// The frequent events have functions of their own, small enough for the compiler to fold their keys.
  @inline(__always)
  mutating func readEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind, into event: inout TraceEvent) {
    switch kind {
    case .wsMessage: event = .wsMessage(message(&bytes))
    case .sseEvent: event = streamedEvent(&bytes)
    case .httpSend: event = .httpSend(send(&bytes))
    case .httpResponse: event = .httpResponse(response(&bytes))
    case .httpBody: event = .httpBody(body(&bytes))
    default: event = otherEvent(&bytes, kind)
    }
  }

  @inline(never)
  private mutating func otherEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind) -> TraceEvent {
    switch kind {
    case .wsMessage: .wsMessage(message(&bytes))
    case .sseEvent: streamedEvent(&bytes)
    case .httpSend: .httpSend(send(&bytes))
    case .httpResponse: .httpResponse(response(&bytes))
    case .httpBody: .httpBody(body(&bytes))
    case .wsConnect: .wsConnect
    case .wsAttach: .wsAttach
    case .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsClose, .wsEnd:
      socketEvent(&bytes, kind)
    case .httpError, .httpWait, .httpCancel, .httpStop:
      requestEvent(&bytes, kind)
    case .sseConnect, .sseOpen, .sseID, .sseRetry, .sseHandled, .sseCommit, .sseCut:
      streamEvent(&bytes, kind)
    case .sseComment: .sseComment
    case .sseCancel: .sseCancel
    case .appBackground: .appBackground
    case .appForeground: .appForeground
    case .appNetwork: .appNetwork(to: word(&bytes, .to, or: .other))
    case .appSession: .appSession(whole(&bytes, .session, Bounds.ordinal))
    case .recTick: .recTick
    case .recPause, .recWall, .recLife, .recGap, .recOpaque, .recNote, .recDrop, .recEnd:
      recorderEvent(&bytes, kind)
    }
  }

  @inline(never)
  private mutating func socketEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind) -> TraceEvent {
    switch kind {
    case .wsOpen:
      return .wsOpen(
        status: optionalWhole(&bytes, .status, Bounds.status), deflate: optionalFlag(&bytes, .deflate))
    case .wsRefused:
      return .wsRefused(
        cause: word(&bytes, .cause, or: .other), status: optionalWhole(&bytes, .status, Bounds.status),
        retry: retry(&bytes))
    case .wsPing:
      return .wsPing(
        dir: word(&bytes, .dir, or: .out), id: optionalWhole(&bytes, .id, Bounds.ordinal),
        bytes: optionalWhole(&bytes, .bytes, Bounds.whole))
    case .wsPong:
      return .wsPong(
        dir: word(&bytes, .dir, or: .out), id: optionalWhole(&bytes, .id, Bounds.whole),
        bytes: optionalWhole(&bytes, .bytes, Bounds.whole))
    case .wsPinged:
      return .wsPinged(
        id: optionalWhole(&bytes, .id, Bounds.whole), result: word(&bytes, .result, or: .error),
        cause: optionalWord(&bytes, .cause, Cause.self))
    case .wsClose:
      return .wsClose(
        dir: word(&bytes, .dir, or: .out), code: optionalWhole(&bytes, .code, Bounds.code),
        by: optionalWord(&bytes, .by, CloseActor.self))
    default:
      return .wsEnd(cause: word(&bytes, .cause, or: .error), dir: optionalWord(&bytes, .dir, Direction.self))
    }
  }

  @inline(never)
  private mutating func requestEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind) -> TraceEvent {
    let req = whole(&bytes, .req, Bounds.ordinal)
    switch kind {
    case .httpCancel: return .httpCancel(req: req)
    case .httpStop: return .httpStop(req: req, why: word(&bytes, .why, or: .stale))
    default: break
    }
    let attempt = whole(&bytes, .attempt, Bounds.ordinal)
    switch kind {
    case .httpError:
      return .httpError(
        req: req, try: attempt, cause: word(&bytes, .cause, or: .other), sent: optionalFlag(&bytes, .sent))
    default:
      return .httpWait(
        req: req, try: attempt, for: whole(&bytes, .duration),
        unit: optionalWhole(&bytes, .unit, Bounds.millionths))
    }
  }

  @inline(never)
  private mutating func streamEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind) -> TraceEvent {
    switch kind {
    case .sseConnect: return .sseConnect(cursor: optionalPseudonym(&bytes, .cursor))
    case .sseOpen:
      return .sseOpen(
        status: optionalWhole(&bytes, .status, Bounds.status),
        type: optionalWord(&bytes, .type, MediaType.self), retry: retry(&bytes))
    case .sseID: return .sseID(id: pseudonym(&bytes, .id))
    case .sseRetry: return .sseRetry(ms: whole(&bytes, .ms, Bounds.int31))
    case .sseHandled: return .sseHandled(n: whole(&bytes, .n, Bounds.ordinal), ok: flag(&bytes, .ok))
    case .sseCommit: return .sseCommit(cursor: pseudonym(&bytes, .cursor))
    default:
      return .sseCut(
        cause: word(&bytes, .cause, or: .error), dir: word(&bytes, .dir, or: .out),
        partial: whole(&bytes, .partial))
    }
  }

  @inline(never)
  private mutating func recorderEvent(_ bytes: inout Span<UInt8>, _ kind: EventKind) -> TraceEvent {
    switch kind {
    case .recPause:
      return .recPause(for: whole(&bytes, .duration), slept: optionalWhole(&bytes, .slept, Bounds.whole))
    case .recWall:
      let step = optionalSigned(&bytes, .step)
      if step == nil { miss(.step) }
      return .recWall(step: step ?? 0)
    case .recLife: return .recLife(dir: word(&bytes, .dir, or: .out), kind: word(&bytes, .kind, or: .bytes))
    case .recGap:
      return .recGap(
        Gap(
          dir: optionalWord(&bytes, .dir, Direction.self), bytes: optionalWhole(&bytes, .bytes, Bounds.whole),
          packets: optionalWhole(&bytes, .packets, Bounds.whole),
          events: optionalWhole(&bytes, .events, Bounds.whole), why: word(&bytes, .why, or: .lost)))
    case .recOpaque:
      return .recOpaque(
        Opaque(
          at: word(&bytes, .at, or: .open), why: word(&bytes, .why, or: .other),
          cause: optionalWord(&bytes, .cause, Cause.self),
          dir: optionalWord(&bytes, .dir, Direction.self),
          out: optionalWhole(&bytes, .sentBytes, Bounds.whole),
          in: optionalWhole(&bytes, .received, Bounds.whole)))
    case .recNote: return .recNote(word(&bytes, .note, or: .conflict), rule: optionalRule(&bytes))
    case .recDrop: return .recDrop(count: whole(&bytes, .count))
    default: return .recEnd(why: word(&bytes, .why, or: .eof), counts: optionalCounts(&bytes))
    }
  }

  @inline(never)
  private mutating func message(_ bytes: inout Span<UInt8>) -> WSMessage {
    WSMessage(
      dir: word(&bytes, .dir, or: .out), kind: word(&bytes, .kind, or: .text),
      bytes: whole(&bytes, .bytes), since: optionalWhole(&bytes, .since, Bounds.whole),
      beat: optionalWord(&bytes, .beat, Beat.self), id: optionalWhole(&bytes, .id, Bounds.whole))
  }

  @inline(never)
  private mutating func streamedEvent(_ bytes: inout Span<UInt8>) -> TraceEvent {
    .sseEvent(
      n: whole(&bytes, .n, Bounds.ordinal), id: optionalPseudonym(&bytes, .id),
      rev: optionalWhole(&bytes, .rev, Bounds.ordinal) ?? 1, bytes: whole(&bytes, .bytes))
  }

  @inline(never)
  private mutating func send(_ bytes: inout Span<UInt8>) -> HTTPSend {
    HTTPSend(
      req: whole(&bytes, .req, Bounds.ordinal), attempt: whole(&bytes, .attempt, Bounds.ordinal),
      hop: optionalWhole(&bytes, .hop, Bounds.ordinal), method: word(&bytes, .method, or: .other),
      replayable: optionalFlag(&bytes, .replayable), key: optionalPseudonym(&bytes, .key),
      bytes: optionalWhole(&bytes, .bytes, Bounds.whole))
  }

  @inline(never)
  private mutating func response(_ bytes: inout Span<UInt8>) -> HTTPResponse {
    HTTPResponse(
      req: whole(&bytes, .req, Bounds.ordinal), attempt: whole(&bytes, .attempt, Bounds.ordinal),
      hop: optionalWhole(&bytes, .hop, Bounds.ordinal),
      status: optionalWhole(&bytes, .status, Bounds.status), retry: retry(&bytes),
      type: optionalWord(&bytes, .type, MediaType.self), sse: optionalStream(&bytes))
  }

  @inline(never)
  private mutating func body(_ bytes: inout Span<UInt8>) -> HTTPBody {
    HTTPBody(
      req: whole(&bytes, .req, Bounds.ordinal), attempt: whole(&bytes, .attempt, Bounds.ordinal),
      dir: word(&bytes, .dir, or: .out), bytes: whole(&bytes, .bytes),
      done: optionalFlag(&bytes, .done), differs: differences(&bytes))
  }
}
