/// The closed vocabulary of a trace: one case for each `ev`, in the order of the format's table.
///
/// Pseudonyms are their numbers: `k1` is 1; of event ids and cursors `e1` is 1 and the empty id is 0.
public enum TraceEvent: Equatable, Sendable {
  case wsConnect
  case wsAttach
  case wsOpen(status: Int?, deflate: Bool?)
  case wsRefused(cause: Cause, status: Int?, retry: RetryFields)
  case wsPing(dir: Direction, id: Int?, bytes: Int?)
  case wsPong(dir: Direction, id: Int?, bytes: Int?)
  case wsPinged(id: Int?, result: PingResult, cause: Cause?)
  case wsMessage(WSMessage)
  case wsClose(dir: Direction, code: Int?, by: CloseActor?)
  case wsEnd(cause: EndCause, dir: Direction?)

  case httpSend(HTTPSend)
  case httpResponse(HTTPResponse)
  case httpBody(HTTPBody)
  case httpError(req: Int, try: Int, cause: Cause, sent: Bool?)
  case httpWait(req: Int, try: Int, for: Int, unit: Int?)
  case httpCancel(req: Int)
  case httpStop(req: Int, why: StopReason)

  case sseConnect(cursor: Int?)
  case sseOpen(status: Int?, type: MediaType?, retry: RetryFields)
  case sseEvent(n: Int, id: Int?, rev: Int, bytes: Int)
  case sseID(id: Int)
  case sseComment
  case sseRetry(ms: Int)
  case sseHandled(n: Int, ok: Bool)
  case sseCommit(cursor: Int)
  case sseCut(cause: CutCause, dir: Direction, partial: Int)
  case sseCancel

  case appBackground
  case appForeground
  case appNetwork(to: Network)
  case appSession(Int)

  case recTick
  case recPause(for: Int, slept: Int?)
  case recWall(step: Int)
  case recLife(dir: Direction, kind: LifeKind)
  case recGap(Gap)
  case recOpaque(Opaque)
  case recNote(Note, rule: RuleName?)
  case recDrop(count: Int)
  case recEnd(why: EndReason, counts: Counts?)
}
