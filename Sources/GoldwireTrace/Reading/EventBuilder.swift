/// Builds events from their fields; the keys are asked for in canonical order.
extension FieldSource where Self: ~Escapable {
  @inline(__always)
  mutating func event(_ kind: EventKind) throws(Failure) -> TraceEvent {
    switch kind {
    case .wsConnect: .wsConnect
    case .wsAttach: .wsAttach
    case .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsMessage, .wsClose, .wsEnd:
      try socketEvent(kind)
    case .httpSend, .httpResponse, .httpBody, .httpError, .httpWait, .httpCancel, .httpStop:
      try requestEvent(kind)
    case .sseConnect, .sseOpen, .sseEvent, .sseID, .sseRetry, .sseHandled, .sseCommit, .sseCut:
      try streamEvent(kind)
    case .sseComment: .sseComment
    case .sseCancel: .sseCancel
    case .appBackground: .appBackground
    case .appForeground: .appForeground
    case .appNetwork: .appNetwork(to: try word(.to))
    case .appSession: .appSession(try whole(.session, Bounds.ordinal))
    case .recTick: .recTick
    case .recPause, .recWall, .recLife, .recGap, .recOpaque, .recNote, .recDrop, .recEnd:
      try recorderEvent(kind)
    }
  }

  @inline(__always)
  private mutating func socketEvent(_ kind: EventKind) throws(Failure) -> TraceEvent {
    switch kind {
    case .wsOpen:
      return .wsOpen(status: try optionalWhole(.status, Bounds.status), deflate: try optionalFlag(.deflate))
    case .wsRefused:
      return .wsRefused(
        cause: try word(.cause), status: try optionalWhole(.status, Bounds.status), retry: try retry())
    case .wsPing:
      return .wsPing(
        dir: try word(.dir), id: try optionalWhole(.id, Bounds.ordinal),
        bytes: try optionalWhole(.bytes, Bounds.whole))
    case .wsPong:
      return .wsPong(
        dir: try word(.dir), id: try optionalWhole(.id, Bounds.whole),
        bytes: try optionalWhole(.bytes, Bounds.whole))
    case .wsPinged:
      return .wsPinged(
        id: try optionalWhole(.id, Bounds.whole), result: try word(.result),
        cause: try optionalWord(.cause, Cause.self))
    case .wsMessage:
      return .wsMessage(
        WSMessage(
          dir: try word(.dir), kind: try word(.kind), bytes: try whole(.bytes),
          since: try optionalWhole(.since, Bounds.whole), beat: try optionalWord(.beat, Beat.self),
          id: try optionalWhole(.id, Bounds.whole)))
    case .wsClose:
      return .wsClose(
        dir: try word(.dir), code: try optionalWhole(.code, Bounds.code),
        by: try optionalWord(.by, CloseActor.self))
    default:
      return .wsEnd(cause: try word(.cause), dir: try optionalWord(.dir, Direction.self))
    }
  }

  @inline(__always)
  private mutating func requestEvent(_ kind: EventKind) throws(Failure) -> TraceEvent {
    let req = try whole(.req, Bounds.ordinal)
    switch kind {
    case .httpCancel: return .httpCancel(req: req)
    case .httpStop: return .httpStop(req: req, why: try word(.why))
    default: break
    }
    let attempt = try whole(.attempt, Bounds.ordinal)
    switch kind {
    case .httpSend:
      return .httpSend(
        HTTPSend(
          req: req, attempt: attempt, hop: try optionalWhole(.hop, Bounds.ordinal),
          method: try word(.method), replayable: try optionalFlag(.replayable),
          key: try optionalPseudonym(.key), bytes: try optionalWhole(.bytes, Bounds.whole)))
    case .httpResponse:
      return .httpResponse(
        HTTPResponse(
          req: req, attempt: attempt, hop: try optionalWhole(.hop, Bounds.ordinal),
          status: try optionalWhole(.status, Bounds.status), retry: try retry(),
          type: try optionalWord(.type, MediaType.self), sse: try optionalStream()))
    case .httpBody:
      return .httpBody(
        HTTPBody(
          req: req, attempt: attempt, dir: try word(.dir), bytes: try whole(.bytes),
          done: try optionalFlag(.done), differs: try differences()))
    case .httpError:
      return .httpError(req: req, try: attempt, cause: try word(.cause), sent: try optionalFlag(.sent))
    default:
      return .httpWait(
        req: req, try: attempt, for: try whole(.duration),
        unit: try optionalWhole(.unit, Bounds.millionths))
    }
  }

  @inline(__always)
  private mutating func streamEvent(_ kind: EventKind) throws(Failure) -> TraceEvent {
    switch kind {
    case .sseConnect: return .sseConnect(cursor: try optionalPseudonym(.cursor))
    case .sseOpen:
      return .sseOpen(
        status: try optionalWhole(.status, Bounds.status),
        type: try optionalWord(.type, MediaType.self), retry: try retry())
    case .sseEvent:
      return .sseEvent(
        n: try whole(.n, Bounds.ordinal), id: try optionalPseudonym(.id),
        rev: try optionalWhole(.rev, Bounds.ordinal) ?? 1, bytes: try whole(.bytes))
    case .sseID: return .sseID(id: try pseudonym(.id))
    case .sseRetry: return .sseRetry(ms: try whole(.ms, Bounds.int31))
    case .sseHandled: return .sseHandled(n: try whole(.n, Bounds.ordinal), ok: try flag(.ok))
    case .sseCommit: return .sseCommit(cursor: try pseudonym(.cursor))
    default:
      return .sseCut(cause: try word(.cause), dir: try word(.dir), partial: try whole(.partial))
    }
  }

  @inline(__always)
  private mutating func recorderEvent(_ kind: EventKind) throws(Failure) -> TraceEvent {
    switch kind {
    case .recPause:
      return .recPause(for: try whole(.duration), slept: try optionalWhole(.slept, Bounds.whole))
    case .recWall:
      guard let step = try optionalSigned(.step) else { throw missing(.step) }
      return .recWall(step: step)
    case .recLife: return .recLife(dir: try word(.dir), kind: try word(.kind))
    case .recGap:
      return .recGap(
        Gap(
          dir: try optionalWord(.dir, Direction.self), bytes: try optionalWhole(.bytes, Bounds.whole),
          packets: try optionalWhole(.packets, Bounds.whole),
          events: try optionalWhole(.events, Bounds.whole), why: try word(.why)))
    case .recOpaque:
      return .recOpaque(
        Opaque(
          at: try word(.at), why: try word(.why), cause: try optionalWord(.cause, Cause.self),
          dir: try optionalWord(.dir, Direction.self), out: try optionalWhole(.sentBytes, Bounds.whole),
          in: try optionalWhole(.received, Bounds.whole)))
    case .recNote: return .recNote(try word(.note), rule: try optionalRule())
    case .recDrop: return .recDrop(count: try whole(.count))
    default: return .recEnd(why: try word(.why), counts: try optionalCounts())
    }
  }
}
