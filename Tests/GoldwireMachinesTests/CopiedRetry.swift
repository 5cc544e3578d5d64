import GoldwireMachines
import GoldwireProtocols

/// What the laws of retries are asked of: the machine, and copies of it with a flaw.
protocol RetryLike: Machine where Event == Retry.Event, Action == Retry.Action {}

extension Retry: RetryLike {}

/// A plain copy of the core of retries, in milliseconds, with one flaw, which the laws must find.
struct CopiedRetry: RetryLike {
  enum Flaw: CaseIterable, Sendable {
    case roundsDown, capShortens, ignoresServer, oneTooMany, replaysAnything, sendsEarly
    case sendsAfterCancel, cancelIsFailure, overIsLocal, sendsStale, stopsTwice
  }

  let flaw: Flaw?
  private var request: Retry.Request?
  private var attempt = 1
  private var until: Int?
  private var isDone = false
  private var isStale = false

  init(_ flaw: Flaw?) { self.flaw = flaw }

  var wakeup: Int? { isDone ? nil : until }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    if isDone { return }
    switch event {
    case .start(let request): self.request = request
    case .session: isStale = true
    case .cancel:
      if flaw == .sendsAfterCancel, until != nil { return }
      emit(stop(flaw == .cancelIsFailure ? .transport(.other) : .cancelled))
    case .answered(attempt, let answer) where until == nil:
      emit(answered(answer, now))
    case .answered, .failed, .hop, .changed, .resume: break
    }
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard !isDone, let until, now >= until - (flaw == .sendsEarly ? 1 : 0) else { return }
    if isStale, flaw != .sendsStale { return emit(stop(.stale)) }
    self.until = nil
    emit(.send(attempt))
  }

  private mutating func stop(_ outcome: Retry.Outcome) -> Action {
    isDone = flaw != .stopsTwice
    return .stop(outcome)
  }

  private mutating func answered(_ answer: Answer, _ now: Int) -> Action {
    if isStale, flaw != .sendsStale { return stop(.stale) }
    if answer.status < 400 { return stop(.delivered) }
    guard request?.isReplayable == true || flaw == .replaysAnything else { return stop(.notReplayable) }
    guard answer.status == 429 || answer.status == 503 else { return stop(.notRetryable) }
    guard attempt <= (flaw == .oneTooMany ? 4 : 3) else { return stop(.budget) }
    var server = 0.0
    switch answer.retryAfter {
    case .seconds(let seconds): server = Double(seconds) * 1_000
    case .invalid(.over): if flaw != .overIsLocal { return stop(.deferred) }
    case .absent, .date, .invalid: break
    }
    if flaw == .ignoresServer { server = 0 }
    var exact = max(server, Double(1_000 << (attempt - 1)) * (0.5 + 0.5 * Double(answer.unit) / 1_000_000))
    if flaw == .capShortens { exact = min(exact, 30_000) }
    guard exact <= 30_000 else { return stop(.deferred) }
    let wait = Int(exact.rounded(flaw == .roundsDown ? .down : .up))
    attempt += 1
    until = now + wait
    return .wait(for: wait, attempt: attempt)
  }
}
