internal import GoldwireTrace

/// A way in which a trace is changed.
public enum MutationKind: String, CaseIterable, Sendable {
  case late, twice, never, reorder, edge, renew, quit
  case lateTick, bunchedTicks
  case completion, app
  case refusal, retryAfter, failure, hop, body, session
  case cut, handler, id, answer
  case gap, clockEnd

  /// What is done, for people.
  public var words: String {
    switch self {
    case .late: "a callback of an old connection or attempt comes late"
    case .twice: "a callback comes twice"
    case .never: "a callback never comes"
    case .reorder: "lines of one instant change places"
    case .edge: "a line one unit before, at, or one unit after a timer's instant"
    case .renew: "a further connection begins"
    case .quit: "the user closes or cancels, before, during and at the end of a wait"
    case .lateTick: "timers run late"
    case .bunchedTicks: "timers run in bunches, before and after their instant"
    case .completion: "ping completions that fail, or come twice"
    case .app: "background, foreground, another network"
    case .refusal: "one refusal after the other"
    case .retryAfter: "other values of Retry-After and of the random unit"
    case .failure: "an attempt fails without an answer"
    case .hop: "a redirect or a renewed login within an attempt"
    case .body: "a request that may not be repeated, or has changed"
    case .session: "another login session, before or after an answer"
    case .cut: "a stream is cut in mid-event and resumed"
    case .handler: "handlers fail, end late, or in another order"
    case .id: "ids that come again, with other content, carried over, or empty"
    case .answer: "another status or media type"
    case .gap: "a hole in the recording"
    case .clockEnd: "all of it at the end of the clock's range"
    }
  }

  /// The kinds that change what a family of channels has.
  static func all(for family: Channel.Family) -> [MutationKind] {
    allCases.filter { kind in
      switch kind {
      case .late, .twice, .never, .reorder, .edge, .quit, .lateTick, .bunchedTicks, .gap, .clockEnd: true
      case .renew, .completion, .app: family == .ws
      case .refusal, .retryAfter, .failure, .hop, .body, .session: family == .http
      case .cut, .handler, .id, .answer: family == .sse
      }
    }
  }
}
