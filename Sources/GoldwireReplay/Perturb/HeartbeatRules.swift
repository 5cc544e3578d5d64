/// The rules of heartbeats, in words.
enum HeartbeatRules {
  static let oldGeneration = PerturbRule(
    "oldGeneration", "an event of an old connection never changes the new one")
  static let deadline = PerturbRule(
    "deadline", "what is not answered before its deadline is closed at it; an answer at the deadline is late")
  static let oneEnd = PerturbRule(
    "oneEnd", "each connection ends once, with one cause")
  static let earlyClose = PerturbRule(
    "earlyClose", "nothing is closed or given up before its deadline")
  static let onePing = PerturbRule(
    "onePing", "no ping is sent while one is awaited")
  static let earlyPing = PerturbRule(
    "earlyPing", "no ping is sent before it is due")
  static let duePing = PerturbRule(
    "duePing", "a ping that is due is sent")
  static let openOnly = PerturbRule(
    "openOnly", "only the open connection is pinged")

  static let all: [PerturbRule] = [
    oldGeneration, deadline, oneEnd, earlyClose, onePing, earlyPing, duePing, openOnly,
  ]
}
