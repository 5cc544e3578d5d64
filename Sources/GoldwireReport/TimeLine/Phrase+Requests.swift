import GoldwireTrace

extension Phrase {
  static func http(_ event: TraceEvent, _ unit: Unit) -> Phrase {
    switch event {
    case .httpSend(let send):
      Phrase(
        .sent,
        sentence(
          name(send.req, send.attempt, send.hop) + " " + send.method.rawValue,
          send.key.map { "key k\($0)" }, send.bytes.map { Quantity.bytes($0) },
          send.replayable == false ? "not replayable" : nil), nil, .begins)
    case .httpResponse(let response):
      Phrase(
        .peer,
        sentence(
          name(response.req, response.attempt, response.hop)
            + (response.status.map { ": \($0)" } ?? ": an answer"),
          response.retry.words(unit), response.sse.map { "event stream sse\($0)" }),
        (response.status ?? 0) >= 400 ? .end : .plain)
    case .httpBody(let body):
      Phrase(
        body.dir.side,
        sentence(
          name(body.req, body.attempt, nil) + " body \(Quantity.bytes(body.bytes))",
          body.done == false ? "cut short" : nil, body.differs.words),
        body.done == false || !body.differs.isEmpty ? .damage : .plain)
    case .httpError(let req, let attempt, let cause, let sent):
      Phrase(
        .peer,
        sentence(
          name(req, attempt, nil) + " failed", cause.words, sent == true ? "it may have been sent" : nil),
        .end)
    case .httpWait(let req, let attempt, let length, _):
      Phrase(.client, "r\(req) waits \(Quantity.span(length, unit)) for try \(attempt)")
    case .httpCancel(let req): Phrase(.local, "r\(req) cancelled by the app", .end)
    case .httpStop(let req, let why): Phrase(.client, "r\(req) \(why.words)", why == .delivered ? nil : .end)
    default: Phrase(.local, "")
    }
  }

  static func stream(_ event: TraceEvent, _ unit: Unit) -> Phrase {
    switch event {
    case .sseConnect(let cursor):
      Phrase(.sent, sentence("connect", cursor.map { "from \(pseudonym($0))" }), nil, .begins)
    case .sseOpen(let status, let type, let retry):
      Phrase(
        .peer,
        sentence(
          status.map { "open \($0)" } ?? "open", type == .other ? "no event stream" : nil, retry.words(unit)),
        status == 200 && type != .other ? .strong : .end)
    case .sseEvent(let n, let id, let revision, let bytes):
      Phrase(
        .peer,
        sentence(
          "event \(n)", id.map { "id \(pseudonym($0))" }, revision > 1 ? "content \(revision)" : nil,
          Quantity.bytes(bytes)))
    case .sseID(let id): Phrase(.peer, "id \(pseudonym(id)) alone")
    case .sseComment: Phrase(.peer, "comment", .faint)
    case .sseRetry(let delay): Phrase(.peer, "asks for a delay of \(Quantity.span(delay, .ms))")
    case .sseHandled(let n, true): Phrase(.local, "event \(n) handled")
    case .sseHandled(let n, false): Phrase(.local, "handler failed on event \(n)", .damage)
    case .sseCommit(let cursor): Phrase(.client, "commit \(pseudonym(cursor))")
    case .sseCut(let cause, let dir, let partial):
      Phrase(
        cause == .local ? .client : dir.side,
        sentence(
          cause.words, partial > 0 ? "\(Quantity.bytes(partial)) of an event lost" : nil), .end, .ends)
    case .sseCancel: Phrase(.local, "cancelled by the app", .end)
    default: Phrase(.local, "")
    }
  }

  /// `r1`, `r1 try 2`, `r1 try 2 hop 1`.
  private static func name(_ req: Int, _ attempt: Int, _ hop: Int?) -> String {
    "r\(req)" + (attempt > 1 ? " try \(attempt)" : "") + (hop.map { " hop \($0)" } ?? "")
  }

  private static func pseudonym(_ number: Int) -> String { number == 0 ? "\"\"" : "e\(number)" }
}

extension Differences {
  fileprivate var words: String? {
    switch (contains(.key), contains(.body)) {
    case (false, false): nil
    case (true, false): "another key than before"
    case (false, true): "another body than before"
    case (true, true): "another key and body than before"
    }
  }
}

extension StopReason {
  fileprivate var words: String {
    switch self {
    case .delivered: "delivered"
    case .notRetryable: "given up: not retryable"
    case .notReplayable: "given up: not replayable"
    case .budget: "given up: retries spent"
    case .deferred: "deferred: the wait is too long"
    case .cancelled: "cancelled"
    case .stale: "dropped: another login"
    case .transport: "given up: transport error"
    }
  }
}

extension CutCause {
  var words: String {
    switch self {
    case .eof: "stream ended"
    case .reset: "stream reset"
    case .error: "stream failed"
    case .local: "stream closed by the client"
    }
  }
}
