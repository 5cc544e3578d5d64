/// The rules of retries, in words.
enum RetryRules {
  static let early = PerturbRule(
    "early", "nothing is sent before the later of the local and the server's delay")
  static let budget = PerturbRule(
    "budget", "a logical request has one budget, whatever layers it passes through")
  static let cancelled = PerturbRule(
    "cancelled", "a cancellation is told at once, and never retried or told as a failure")
  static let replayable = PerturbRule(
    "replayable", "what may not be repeated is sent once")
  static let oneOutcome = PerturbRule(
    "oneOutcome", "there is exactly one outcome, and nothing after it")
  static let stale = PerturbRule(
    "stale", "what is of an old login session is dropped")
  static let cap = PerturbRule(
    "cap", "a wait is as long as asked, and put off where that is over the cap")
  static let order = PerturbRule(
    "order", "of several reasons to stop, the first in their order is the outcome")
  static let reason = PerturbRule("reason", "an outcome has a reason, and comes no earlier than it")
  static let answered = PerturbRule(
    "answered", "an answer is followed by a wait or the outcome, and by it alone")
  static let dueSend = PerturbRule(
    "dueSend", "at the end of its wait an attempt is sent")

  static let all: [PerturbRule] = [
    early, budget, cancelled, replayable, oneOutcome, stale, cap, order, reason, answered, dueSend,
  ]
}
