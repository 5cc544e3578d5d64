import GoldwireMachines

/// A logical request with one fault, as clients in the field have them.
struct FaultyRetry: Machine {
  enum Fault: CaseIterable, Sendable {
    case earlyResend, budgetPerLayer, cancelIsFailure, replaysAnything, sendsStale
  }

  private let fault: Fault?
  private let parameters: Retry.Parameters
  private var inner: Retry
  private var request: Retry.Request?
  /// How many sends there were before the latest layer.
  private var before = 0

  init(_ fault: Fault?, _ parameters: Retry.Parameters) {
    (self.fault, self.parameters, inner) = (fault, parameters, Retry(parameters))
  }

  var wakeup: Int? { fault == .earlyResend ? inner.wakeup.map { $0 - 1 } : inner.wakeup }

  mutating func handle(_ event: Retry.Event, at now: Int, emit: (Retry.Action) -> Void) {
    var event = event
    switch (fault, event) {
    case (_, .start(var first)):
      if fault == .replaysAnything { first.isSafe = true }
      request = first
      event = .start(first)
    case (.sendsStale, .session): return
    case (.budgetPerLayer, .hop(let attempt))
    where inner.phase == .sending && attempt == before + inner.attempt:
      guard let request else { return }
      before = attempt - 1
      inner = Retry(parameters)
      return inner.handle(.start(request), at: now, emit: emit)
    case (.budgetPerLayer, .answered(let attempt, let answer)): event = .answered(attempt - before, answer)
    case (.budgetPerLayer, .failed(let attempt, let failure)): event = .failed(attempt - before, failure)
    case (.budgetPerLayer, .changed(let attempt)): event = .changed(attempt - before)
    default: break
    }
    var actions: [Retry.Action] = []
    inner.handle(event, at: now) { actions.append($0) }
    for action in actions { emit(told(action)) }
  }

  mutating func tick(at now: Int, emit: (Retry.Action) -> Void) {
    var actions: [Retry.Action] = []
    inner.tick(at: fault == .earlyResend ? max(now, now &+ 1) : now) { actions.append($0) }
    for action in actions { emit(told(action)) }
  }

  private func told(_ action: Retry.Action) -> Retry.Action {
    switch action {
    case .send(let attempt): .send(attempt + before)
    case .wait(let span, let attempt): .wait(for: span, attempt: attempt + before)
    case .stop(.cancelled): fault == .cancelIsFailure ? .stop(.transport(.other)) : action
    case .stop: action
    }
  }
}
