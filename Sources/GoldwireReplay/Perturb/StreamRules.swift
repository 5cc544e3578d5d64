/// The rules of event streams, in words.
enum StreamRules {
  static let oldGeneration = PerturbRule(
    "oldGeneration", "an event of an old connection never changes the new one")
  static let oneEffect = PerturbRule(
    "oneEffect", "an event has at most one effect")
  static let ownID = PerturbRule(
    "ownID", "only an id that stands in the event itself makes it one that came before")
  static let lost = PerturbRule(
    "lost", "every event is handled, with and without cuts")
  static let cursor = PerturbRule(
    "cursor", "the cursor never names an event whose handler has not succeeded")
  static let commits = PerturbRule(
    "commits", "the cursor moves once everything before it has succeeded")
  static let early = PerturbRule(
    "early", "no connection is made before the delay is over")
  static let connects = PerturbRule(
    "connects", "after the delay a connection is made")
  static let stops = PerturbRule(
    "stops", "a stream stops for good for its reasons alone, and then at once")
  static let stopped = PerturbRule(
    "stopped", "after a stop nothing is done")

  static let all: [PerturbRule] = [
    oldGeneration, oneEffect, ownID, lost, cursor, commits, early, connects, stops, stopped,
  ]
}
