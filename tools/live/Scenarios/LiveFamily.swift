/// A kind of fault that a live session meets.
public enum LiveFamily: String, CaseIterable, Sendable {
  // WebSocket sessions.
  case calm
  case delayedPongs
  case lostPongs
  case strangePongs
  case serverPings
  case closes
  case resets
  case fins
  case refusals
  case silentHandshakes
  case stalls
  case holes
  case idleLimits
  case pingLimits
  case restarts
  case app

  // Requests.
  case patience
  case dates
  case faultyDates
  case budgets
  case writes
  case breaks
  case cancellations
  case sessions

  // Event streams.
  case cuts
  case insideCuts
  case splits
  case endings
  case handlers
  case retryFields
  case silences

  /// What drives the session.
  public enum Kind: String, CaseIterable, Sendable {
    case heartbeat
    case retry
    case stream
  }

  /// What drives the session.
  public var kind: Kind {
    switch self {
    case .calm, .delayedPongs, .lostPongs, .strangePongs, .serverPings, .closes, .resets, .fins, .refusals,
      .silentHandshakes, .stalls, .holes, .idleLimits, .pingLimits, .restarts, .app:
      .heartbeat
    case .patience, .dates, .faultyDates, .budgets, .writes, .breaks, .cancellations, .sessions: .retry
    case .cuts, .insideCuts, .splits, .endings, .handlers, .retryFields, .silences: .stream
    }
  }
}
