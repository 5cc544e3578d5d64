/// What a recorder that leaves lines out must tell again, and how it says that something is missing.
struct ContinuationRules {
  /// Why something is missing.
  var gap = GapReason.cut
  /// Whether it is a flight recorder, which leaves out what is old, and tells no more than its machines need.
  var isFlight = false
  /// The statuses after which a request may be sent again.
  var statuses = [429, 503]
  private var anyInboundIsLife = true

  /// The rules of a recording that goes on in another file.
  init() {}

  /// The rules of a flight recorder, for clients with these parameters.
  init(flightOf parameters: ParameterTable?) {
    gap = .ring
    isFlight = true
    if case .numbers(let numbers)? = parameters?[.retry]?[.statuses] { statuses = numbers }
    if let policy = parameters?[.heartbeat]?[.policy] {
      anyInboundIsLife = policy == .word(.anyInboundIsLife)
    }
  }

  /// Whether something that is no ping of the client's may move its heartbeat.
  func moves(_ event: TraceEvent) -> Bool {
    guard isFlight else { return true }
    switch event {
    case .wsPong(let direction, _, _): return direction == .in
    case .wsMessage(let message): return message.dir == .in && (anyInboundIsLife || message.beat != nil)
    case .wsPing(let direction, _, _), .recLife(let direction, _): return direction == .in && anyInboundIsLife
    default: return false
    }
  }
}
