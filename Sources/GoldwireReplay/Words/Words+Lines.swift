public import GoldwireTrace

extension Words {
  /// A line of a trace: `ws1#1 pong 3 came`.
  public func line(_ line: TraceLine) -> String {
    let channel = channel(line.channel, line.generation)
    let text = event(line.event)
    return channel.isEmpty ? text : "\(channel) \(text)"
  }

  private func event(_ event: TraceEvent) -> String {
    switch event {
    case .wsConnect, .wsAttach, .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsMessage, .wsClose,
      .wsEnd:
      webSocket(event)
    case .httpSend, .httpResponse, .httpBody, .httpError, .httpWait, .httpCancel, .httpStop: http(event)
    case .sseConnect, .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseHandled, .sseCommit, .sseCut,
      .sseCancel:
      stream(event)
    default: surroundings(event)
    }
  }

  private func webSocket(_ event: TraceEvent) -> String {
    switch event {
    case .wsConnect: "connects"
    case .wsAttach: "was open before the recording"
    case .wsOpen: "opened"
    case .wsRefused(let cause, let status, _): "refused: \(cause.rawValue)" + (status.map { " \($0)" } ?? "")
    case .wsPing(.out, let id, _): "ping" + number(id) + " sent"
    case .wsPing(.in, let id, _): "peer's ping" + number(id)
    case .wsPong(.in, let id, _): "pong" + number(id) + " came"
    case .wsPong(.out, let id, _): "pong" + number(id) + " sent"
    case .wsPinged(let id, let result, _): "ping" + number(id) + " completed: \(result.rawValue)"
    case .wsMessage(let message):
      (message.beat.map { "beat \($0.rawValue)" } ?? "\(message.kind.rawValue) message")
        + (message.dir == .out ? " sent" : " came")
    case .wsClose(.in, let code, _): "peer's close" + (code.map { " \($0)" } ?? "")
    case .wsClose(.out, let code, let by):
      "close" + (code.map { " \($0)" } ?? "") + " sent" + (by == .user ? " for the user" : "")
    case .wsEnd(let cause, let dir):
      "connection ended: \(cause.rawValue)" + (dir == .out ? " by the client" : "")
    default: ""
    }
  }

  private func http(_ event: TraceEvent) -> String {
    switch event {
    case .httpSend(let send):
      "r\(send.req) \(send.method.rawValue) sent, try \(send.attempt)" + (send.hop.map { " hop \($0)" } ?? "")
    case .httpResponse(let response):
      "r\(response.req) answered" + (response.status.map { " \($0)" } ?? "") + ", try \(response.attempt)"
    case .httpBody(let body): "r\(body.req) body" + (body.dir == .out ? " sent" : " came")
    case .httpError(let req, let attempt, let cause, _): "r\(req) failed: \(cause.rawValue), try \(attempt)"
    case .httpWait(let req, let attempt, let wait, _): "r\(req) waits \(span(wait)) for try \(attempt)"
    case .httpCancel(let req): "r\(req) cancelled by the app"
    case .httpStop(let req, let why): "r\(req) over: \(why.rawValue)"
    default: ""
    }
  }

  private func stream(_ event: TraceEvent) -> String {
    switch event {
    case .sseConnect(let cursor): "connects" + (cursor.map { " from \(Self.pseudonym($0))" } ?? "")
    case .sseOpen(let status, _, _): "answered" + (status.map { " \($0)" } ?? "")
    case .sseEvent(let n, let id, _, _): "event \(n) came" + (id.map { ", id \(Self.pseudonym($0))" } ?? "")
    case .sseID(let id): "id \(Self.pseudonym(id)) alone"
    case .sseComment: "comment"
    case .sseRetry(let ms): "retry field: \(ms)ms"
    case .sseHandled(let n, let ok): "event \(n) " + (ok ? "handled" : "failed in its handler")
    case .sseCommit(let cursor): "commit \(Self.pseudonym(cursor))"
    case .sseCut(let cause, _, _): "stream cut: \(cause.rawValue)"
    case .sseCancel: "cancelled by the app"
    default: ""
    }
  }

  private func surroundings(_ event: TraceEvent) -> String {
    switch event {
    case .appBackground: "app goes to the background"
    case .appForeground: "app comes to the foreground"
    case .appNetwork(let to): "network: \(to.rawValue)"
    case .appSession(let number): "login session \(number)"
    case .recTick: "timer"
    case .recPause(let length, _): "process did not run for \(span(length))"
    case .recWall(let step): "wall clock set by \(step)us"
    case .recGap(let gap): "hole in the recording: \(gap.why.rawValue)"
    case .recLife(let dir, _): dir == .in ? "bytes came" : "bytes sent"
    case .recEnd(let why, _): "recording ends: \(why.rawValue)"
    case .recDrop(let count): "\(count) packets dropped"
    case .recNote(let note, _): "note: \(note.rawValue)"
    case .recOpaque: "cannot be read"
    default: ""
    }
  }

  private func number(_ id: Int?) -> String { id.map { " \($0)" } ?? "" }
}
