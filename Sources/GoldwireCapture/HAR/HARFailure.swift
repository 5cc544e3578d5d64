import GoldwireTrace

/// How an entry without a whole response failed, as told by the words that tools use.
enum HARFailure: Equatable {
  /// The exchange failed.
  case failed(Cause)
  /// The client itself gave it up.
  case cancelled

  /// The first of these words that a text holds tells; Chromium's, Firefox's and the proxies' are all here.
  private static let words: [(word: String, meaning: HARFailure)] = [
    ("connection_aborted", .failed(.reset)), ("client disconnect", .cancelled), ("abort", .cancelled),
    ("cancel", .cancelled), ("proxy", .failed(.proxy)), ("tunnel", .failed(.proxy)),
    ("name_not_resolved", .failed(.dns)), ("name_resolution", .failed(.dns)), ("unknown_host", .failed(.dns)),
    ("unknown host", .failed(.dns)), ("getaddrinfo", .failed(.dns)), ("dns", .failed(.dns)),
    ("resolve", .failed(.dns)), ("cert", .failed(.tls)), ("ssl", .failed(.tls)), ("tls", .failed(.tls)),
    ("pkix", .failed(.tls)), ("refused", .failed(.refused)), ("reset", .failed(.reset)),
    ("interrupt", .failed(.reset)), ("broken pipe", .failed(.reset)), ("timed_out", .failed(.timeout)),
    ("timed out", .failed(.timeout)), ("timeout", .failed(.timeout)), ("unreach", .failed(.unreach)),
    ("internet_disconnected", .failed(.unreach)), ("offline", .failed(.unreach)),
    ("network_changed", .failed(.unreach)), ("no route", .failed(.unreach)),
    ("unexpected response code", .failed(.status)), ("protocol", .failed(.protocol)),
    ("incomplete", .failed(.protocol)), ("mismatch", .failed(.protocol)),
    ("invalid", .failed(.protocol)), ("malformed", .failed(.protocol)), ("empty_response", .failed(.fin)),
    ("closed", .failed(.fin)), ("disconnect", .failed(.fin)), ("exception", .failed(.other)),
    ("failed", .failed(.other)),
  ]

  /// Reads a text of at most a few hundred bytes; nil if it holds no such word.
  init?(_ text: [UInt8]) {
    let lower = text.prefix(512).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    guard let found = HARFailure.words.first(where: { HARFailure.holds(lower, Array($0.word.utf8)) }) else {
      return nil
    }
    self = found.meaning
  }

  /// Whether a text says that the browser itself held the request back, before anything was sent.
  static func isBlock(_ text: [UInt8]) -> Bool {
    let lower = text.prefix(512).map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return ["blocked_by_client", "blocked_by_administrator", "blocked_by_csp"].contains {
      holds(lower, Array($0.utf8))
    }
  }

  /// The cause, where it is not the client's own.
  var cause: Cause? {
    if case .failed(let cause) = self { return cause }
    return nil
  }

  private static func holds(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard text.count >= word.count else { return false }
    return (0...(text.count &- word.count)).contains { start in
      word.indices.allSatisfy { text[start &+ $0] == word[$0] }
    }
  }
}
