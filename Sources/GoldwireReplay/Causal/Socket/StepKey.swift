/// What a step is in any world, whatever the number of failed connects before it.
struct StepKey {
  var kind: PredictedStep.Kind
  /// The session: a connection that opened.
  var session: Int
  /// The attempt to open it, or the number of the ping.
  var ordinal: Int
  /// Whether the connection never opened.
  var hasFailed = false

  /// The place of such a step among all: every world's steps come in this order.
  var rank: Int {
    let (stage, part): (Int, Int) =
      switch kind {
      case .connect: (0, 0)
      case .open: (1, 0)
      case .ping: (2, 0)
      case .answer: (2, 1)
      case .end: hasFailed ? (0, 1) : (3, 0)
      }
    // Neither number is larger than the steps of a prediction can be many.
    return (session << 2 | stage) << 32 | ordinal << 1 | part
  }
}

/// Numbers the sessions of a run in place of its connections.
struct StepNumbering {
  private var session = 1
  private var attempt = 0
  private var isOpen = false

  /// The key of the next step.
  mutating func key(of step: PredictedStep) -> StepKey {
    pass(step)
    switch step.kind {
    case .connect: return StepKey(kind: .connect, session: session, ordinal: attempt)
    case .open: return StepKey(kind: .open, session: session, ordinal: 0)
    case .ping, .answer: return StepKey(kind: step.kind, session: session, ordinal: step.ordinal)
    case .end:
      guard isOpen else { return StepKey(kind: .end, session: session, ordinal: attempt, hasFailed: true) }
      defer { (session, attempt, isOpen) = (session + 1, 0, false) }
      return StepKey(kind: .end, session: session, ordinal: 0)
    }
  }

  /// Passes a step whose key nobody asks for; an end is never passed.
  mutating func pass(_ step: PredictedStep) {
    switch step.kind {
    case .connect:
      attempt += 1
      isOpen = false
    // One that is known from a ping on was open before.
    case .open, .ping: isOpen = true
    case .answer, .end: break
    }
  }
}
