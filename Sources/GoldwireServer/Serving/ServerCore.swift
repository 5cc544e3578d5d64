internal import GoldwireRuntime
internal import GoldwireTap
internal import GoldwireTrace

/// What all connections of a server share: the script, whose turn it is, the log and the clocks.
final class ServerCore: Sendable {
  /// What a rule's behaviours are for.
  enum Kind: Hashable, Sendable { case webSocket, events, http }

  private struct Turn: Hashable {
    let rule: Int
    let kind: Kind
  }

  private struct Claim: Hashable {
    let path: String
    let kind: Kind
  }

  private struct State {
    var begun: [Turn: Int] = [:]
    var ended: [Turn: Int] = [:]
    var claims: [Claim: Int] = [:]
  }

  let script: FaultScript
  let clock: any DriverClock
  let log: ServerLog
  private let epoch: Int
  private let state = Guarded(State())

  /// A core that begins now; `epoch` is the wall clock in µs since 1970.
  init(_ script: FaultScript, _ clock: any DriverClock, epoch: Int) {
    self.script = script
    self.clock = clock
    self.epoch = epoch
    log = ServerLog(start: clock.now, epoch: epoch)
  }

  /// The wall clock in seconds since 1970, as it goes by the server's clock.
  var seconds: Int { (epoch + clock.now.microseconds - log.start) / 1_000_000 }

  /// A behaviour, and whose turn it is of whom.
  struct Place: Sendable {
    let rule: Int
    let turn: Int
  }

  /// The turn at a path; nil if no rule is for it.
  func next(_ kind: Kind, _ path: String) -> Place? {
    state.withLock { state in
      guard let rule = rule(kind, path, &state) else { return nil }
      let key = Turn(rule: rule, kind: kind)
      let turn = state.begun[key, default: 0]
      state.begun[key] = turn + 1
      return Place(rule: rule, turn: turn)
    }
  }

  /// Whether a rule is for it.
  func has(_ kind: Kind, _ path: String) -> Bool { state.withLock { rule(kind, path, &$0) != nil } }

  /// Says that a turn is over.
  func finish(_ kind: Kind, _ place: Place) {
    state.withLock { $0.ended[Turn(rule: place.rule, kind: kind), default: 0] += 1 }
  }

  /// Whether each behaviour had its turn, and all turns are over.
  var isPlayed: Bool {
    state.withLock { state in
      for (index, rule) in script.rules.enumerated() {
        for (kind, count) in [
          (Kind.webSocket, rule.webSocket.count), (.events, rule.events.count), (.http, rule.http.count),
        ] where state.ended[Turn(rule: index, kind: kind), default: 0] < count { return false }
      }
      return true
    }
  }

  private func rule(_ kind: Kind, _ path: String, _ state: inout State) -> Int? {
    func serves(_ rule: FaultRule) -> Bool {
      switch kind {
      case .webSocket: !rule.webSocket.isEmpty
      case .events: !rule.events.isEmpty
      case .http: !rule.http.isEmpty
      }
    }
    guard script.claimsPaths, kind != .http else {
      return script.rules.firstIndex { $0.fits(path) && serves($0) }
    }
    let claim = Claim(path: path, kind: kind)
    if let known = state.claims[claim] { return known }
    let taken = Set(state.claims.filter { $0.key.kind == kind }.values)
    let next = script.rules.indices.first { !taken.contains($0) && serves(script.rules[$0]) }
    state.claims[claim] = next
    return next
  }
}
