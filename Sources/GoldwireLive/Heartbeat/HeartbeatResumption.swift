/// What to do with the connection after the app came to the foreground; it has been judged already.
public enum HeartbeatResumption: Equatable, Sendable {
  /// It is open and was not found dead; if its ping was overdue, that was sent.
  case reuse
  /// It is still being made.
  case wait
  /// There is none, or it was dead and has been closed: make a new one.
  case makeAnew
}
