/// The kind of an event: one case for each `ev` of the vocabulary, in the order of the format's table.
public enum EventKind: String, CaseIterable, Sendable {
  case wsConnect = "ws.connect"
  case wsAttach = "ws.attach"
  case wsOpen = "ws.open"
  case wsRefused = "ws.refused"
  case wsPing = "ws.ping"
  case wsPong = "ws.pong"
  case wsPinged = "ws.pinged"
  case wsMessage = "ws.message"
  case wsClose = "ws.close"
  case wsEnd = "ws.end"
  case httpSend = "http.send"
  case httpResponse = "http.response"
  case httpBody = "http.body"
  case httpError = "http.error"
  case httpWait = "http.wait"
  case httpCancel = "http.cancel"
  case httpStop = "http.stop"
  case sseConnect = "sse.connect"
  case sseOpen = "sse.open"
  case sseEvent = "sse.event"
  case sseID = "sse.id"
  case sseComment = "sse.comment"
  case sseRetry = "sse.retry"
  case sseHandled = "sse.handled"
  case sseCommit = "sse.commit"
  case sseCut = "sse.cut"
  case sseCancel = "sse.cancel"
  case appBackground = "app.background"
  case appForeground = "app.foreground"
  case appNetwork = "app.network"
  case appSession = "app.session"
  case recTick = "rec.tick"
  case recPause = "rec.pause"
  case recWall = "rec.wall"
  case recLife = "rec.life"
  case recGap = "rec.gap"
  case recOpaque = "rec.opaque"
  case recNote = "rec.note"
  case recDrop = "rec.drop"
  case recEnd = "rec.end"
}

extension EventKind: Word {
  var text: StaticString {
    switch self {
    case .wsConnect: "ws.connect\""
    case .wsAttach: "ws.attach\""
    case .wsOpen: "ws.open\""
    case .wsRefused: "ws.refused\""
    case .wsPing: "ws.ping\""
    case .wsPong: "ws.pong\""
    case .wsPinged: "ws.pinged\""
    case .wsMessage: "ws.message\""
    case .wsClose: "ws.close\""
    case .wsEnd: "ws.end\""
    case .httpSend: "http.send\""
    case .httpResponse: "http.response\""
    case .httpBody: "http.body\""
    case .httpError: "http.error\""
    case .httpWait: "http.wait\""
    case .httpCancel: "http.cancel\""
    case .httpStop: "http.stop\""
    case .sseConnect: "sse.connect\""
    case .sseOpen: "sse.open\""
    case .sseEvent: "sse.event\""
    case .sseID: "sse.id\""
    case .sseComment: "sse.comment\""
    case .sseRetry: "sse.retry\""
    case .sseHandled: "sse.handled\""
    case .sseCommit: "sse.commit\""
    case .sseCut: "sse.cut\""
    case .sseCancel: "sse.cancel\""
    case .appBackground: "app.background\""
    case .appForeground: "app.foreground\""
    case .appNetwork: "app.network\""
    case .appSession: "app.session\""
    case .recTick: "rec.tick\""
    case .recPause: "rec.pause\""
    case .recWall: "rec.wall\""
    case .recLife: "rec.life\""
    case .recGap: "rec.gap\""
    case .recOpaque: "rec.opaque\""
    case .recNote: "rec.note\""
    case .recDrop: "rec.drop\""
    case .recEnd: "rec.end\""
    }
  }

  @inline(__always)
  static func read(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("ws.") {
      // Most lines are messages.
      if bytes.eat("message\"") { return .wsMessage }
      return ws(&bytes)
    }
    if bytes.eat("sse.") {
      if bytes.eat("event\"") { return .sseEvent }
      return sse(&bytes)
    }
    if bytes.eat("http.") { return http(&bytes) }
    if bytes.eat("app.") { return app(&bytes) }
    if bytes.eat("rec.") { return rec(&bytes) }
    return nil
  }

  @inline(never)
  private static func ws(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("connect\"") { return .wsConnect }
    if bytes.eat("attach\"") { return .wsAttach }
    if bytes.eat("open\"") { return .wsOpen }
    if bytes.eat("refused\"") { return .wsRefused }
    if bytes.eat("ping\"") { return .wsPing }
    if bytes.eat("pong\"") { return .wsPong }
    if bytes.eat("pinged\"") { return .wsPinged }
    if bytes.eat("close\"") { return .wsClose }
    if bytes.eat("end\"") { return .wsEnd }
    return nil
  }

  @inline(never)
  private static func http(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("send\"") { return .httpSend }
    if bytes.eat("response\"") { return .httpResponse }
    if bytes.eat("body\"") { return .httpBody }
    if bytes.eat("error\"") { return .httpError }
    if bytes.eat("wait\"") { return .httpWait }
    if bytes.eat("cancel\"") { return .httpCancel }
    if bytes.eat("stop\"") { return .httpStop }
    return nil
  }

  @inline(never)
  private static func sse(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("connect\"") { return .sseConnect }
    if bytes.eat("open\"") { return .sseOpen }
    if bytes.eat("id\"") { return .sseID }
    if bytes.eat("comment\"") { return .sseComment }
    if bytes.eat("retry\"") { return .sseRetry }
    if bytes.eat("handled\"") { return .sseHandled }
    if bytes.eat("commit\"") { return .sseCommit }
    if bytes.eat("cut\"") { return .sseCut }
    if bytes.eat("cancel\"") { return .sseCancel }
    return nil
  }

  @inline(never)
  private static func app(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("background\"") { return .appBackground }
    if bytes.eat("foreground\"") { return .appForeground }
    if bytes.eat("network\"") { return .appNetwork }
    if bytes.eat("session\"") { return .appSession }
    return nil
  }

  @inline(never)
  private static func rec(_ bytes: inout Span<UInt8>) -> EventKind? {
    if bytes.eat("tick\"") { return .recTick }
    if bytes.eat("pause\"") { return .recPause }
    if bytes.eat("wall\"") { return .recWall }
    if bytes.eat("life\"") { return .recLife }
    if bytes.eat("gap\"") { return .recGap }
    if bytes.eat("opaque\"") { return .recOpaque }
    if bytes.eat("note\"") { return .recNote }
    if bytes.eat("drop\"") { return .recDrop }
    if bytes.eat("end\"") { return .recEnd }
    return nil
  }
}

extension TraceEvent {
  /// The kind of the event.
  public var kind: EventKind {
    switch self {
    case .wsConnect: .wsConnect
    case .wsAttach: .wsAttach
    case .wsOpen: .wsOpen
    case .wsRefused: .wsRefused
    case .wsPing: .wsPing
    case .wsPong: .wsPong
    case .wsPinged: .wsPinged
    case .wsMessage: .wsMessage
    case .wsClose: .wsClose
    case .wsEnd: .wsEnd
    case .httpSend: .httpSend
    case .httpResponse: .httpResponse
    case .httpBody: .httpBody
    case .httpError: .httpError
    case .httpWait: .httpWait
    case .httpCancel: .httpCancel
    case .httpStop: .httpStop
    case .sseConnect: .sseConnect
    case .sseOpen: .sseOpen
    case .sseEvent: .sseEvent
    case .sseID: .sseID
    case .sseComment: .sseComment
    case .sseRetry: .sseRetry
    case .sseHandled: .sseHandled
    case .sseCommit: .sseCommit
    case .sseCut: .sseCut
    case .sseCancel: .sseCancel
    case .appBackground: .appBackground
    case .appForeground: .appForeground
    case .appNetwork: .appNetwork
    case .appSession: .appSession
    case .recTick: .recTick
    case .recPause: .recPause
    case .recWall: .recWall
    case .recLife: .recLife
    case .recGap: .recGap
    case .recOpaque: .recOpaque
    case .recNote: .recNote
    case .recDrop: .recDrop
    case .recEnd: .recEnd
    }
  }
}
