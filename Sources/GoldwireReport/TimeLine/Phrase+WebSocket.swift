import GoldwireTrace

extension Phrase {
  static func webSocket(_ event: TraceEvent, _ unit: Unit) -> Phrase {
    switch event {
    case .wsConnect: Phrase(.sent, "connect", nil, .begins)
    case .wsAttach: Phrase(.local, "open already when the recording began", nil, .begins)
    case .wsOpen(let status, let deflate):
      Phrase(
        .peer,
        sentence(status.map { "open \($0)" } ?? "open", deflate == true ? "deflate" : nil), .strong)
    case .wsRefused(let cause, let status, let retry):
      Phrase(
        .peer, sentence(cause.words(status: status), retry.words(unit)), .end, .ends)
    case .wsPing(let dir, let id, _): Phrase(dir.side, numbered("ping", id))
    case .wsPong(.in, 0, _): Phrase(.peer, "pong that no ping asked for")
    case .wsPong(let dir, let id, _): Phrase(dir.side, sentence(numbered("pong", id)))
    case .wsPinged(let id, .ok, _): Phrase(.peer, sentence(numbered("pong", id)))
    case .wsPinged(let id, let result, let cause):
      Phrase(
        .local,
        sentence(
          numbered("ping", id) + (result == .error ? " failed" : " cancelled"), cause.map { $0.words }), .end,
        .ends)
    case .wsMessage(let message): message.phrase(unit)
    case .wsClose(let dir, let code, let actor):
      Phrase(
        dir.side, sentence(closeWords(code), actor.flatMap(\.words)),
        dir == .in || actor == .machine ? .end : nil)
    case .wsEnd(let cause, let dir):
      Phrase(dir.map { $0.side } ?? .local, cause.words(dir), .end, .ends)
    default: Phrase(.local, "")
    }
  }

  private static func numbered(_ noun: String, _ id: Int?) -> String { id.map { "\(noun) \($0)" } ?? noun }

  private static func closeWords(_ code: Int?) -> String {
    guard let code else { return "close" }
    let meaning: String? =
      switch code {
      case 1000: "normal"
      case 1001: "going away"
      case 1002: "protocol error"
      case 1003: "unsupported data"
      case 1005: "no code"
      case 1006: "abnormal"
      case 1007: "invalid data"
      case 1008: "policy violated"
      case 1009: "too big"
      case 1010: "extension missing"
      case 1011: "internal error"
      case 1012: "service restart"
      case 1013: "try again later"
      case 1014: "bad gateway"
      default: nil
      }
    return "close \(code)" + (meaning.map { " \($0)" } ?? "")
  }
}

extension WSMessage {
  fileprivate func phrase(_ unit: Unit) -> Phrase {
    let beats = beat.map { "application \($0.rawValue)" + (id.map { " \($0)" } ?? "") }
    return Phrase(dir.side, sentence(beats, "\(kind.rawValue) \(Quantity.bytes(bytes))"), .plain)
  }
}

extension CloseActor {
  fileprivate var words: String? {
    switch self {
    case .user: "by the user"
    case .machine: "by the machine"
    case .unknown: nil
    }
  }
}

extension EndCause {
  /// The cause in words, with who ended it.
  func words(_ dir: Direction?) -> String {
    switch (self, dir) {
    case (.fin, .in): "closed by the peer"
    case (.fin, .out): "closed by the client"
    case (.fin, nil): "closed"
    case (.reset, .in): "reset by the peer"
    case (.reset, .out): "reset by the client"
    case (.reset, nil): "reset"
    case (.error, _): "failed"
    case (.timeout, _): "timed out"
    }
  }
}

extension Cause {
  /// The cause in words.
  var words: String {
    switch self {
    case .refused: "connection refused"
    case .unreach: "host unreachable"
    case .timeout: "timed out"
    case .reset: "connection reset"
    case .fin: "connection closed"
    case .dns: "name not found"
    case .tls: "TLS failed"
    case .status: "refused"
    case .proxy: "proxy refused"
    case .protocol: "protocol broken"
    case .other: "failed"
    }
  }

  /// The cause in words, with the status where that is the cause.
  func words(status: Int?) -> String { status.map { "\(words) with \($0)" } ?? words }
}

extension RetryFields {
  /// What the response said of a retry, in words.
  func words(_ unit: Unit) -> String? {
    switch value {
    case nil: nil
    case .after(let seconds): "retry after \(Quantity.span(min(seconds, 1 << 31) * 1_000, .ms))"
    case .at: form == nil ? "retry at a date" : "retry at a date in the form of \(form?.rawValue ?? "")"
    case .bad(let fault): "Retry-After unreadable (\(fault.words))"
    }
  }
}

extension RetryFault {
  fileprivate var words: String {
    switch self {
    case .sign: "a sign"
    case .decimal: "a decimal"
    case .unit: "a unit"
    case .list: "a list"
    case .digits: "foreign digits"
    case .empty: "empty"
    case .differ: "two that differ"
    case .weekday: "wrong weekday"
    case .zone: "not GMT"
    case .over: "too large"
    case .other: "no known form"
    }
  }
}
