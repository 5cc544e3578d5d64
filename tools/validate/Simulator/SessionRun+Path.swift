/// The path, and what lies between.
extension SessionRun {
  /// How long a packet that leaves now takes one way.
  func delay(isUp: Bool, at now: Int) -> Int {
    let step = script.steps.last { $0.from <= now }?.delay ?? 0
    let varied =
      script.isMean ? script.jitter / 2 : weather.within(script.jitter, isUp ? .delayUp : .delayDown, at: now)
    return script.delay + step + varied
  }

  func isInHole(isUp: Bool, at now: Int) -> Bool {
    script.holes.contains { hole in
      guard hole.span.contains(now) else { return false }
      switch hole.way {
      case .both: return true
      case .up: return isUp
      case .down: return !isUp
      }
    }
  }

  /// Puts a packet on the path.
  mutating func put(_ index: Int, _ isUp: Bool, _ packet: Packet, _ now: Int) {
    let delay = delay(isUp: isUp, at: now)
    if isInHole(isUp: isUp, at: now) { return }
    if script.loss > 0, !script.isMean,
      weather.within(999, isUp ? .lossUp : .lossDown, at: now) < script.loss
    {
      return
    }
    var arrival = now + delay
    if isUp {
      arrival = max(arrival, lastArrival.up + 1)
      lastArrival.up = arrival
    } else {
      arrival = max(arrival, lastArrival.down + 1)
      lastArrival.down = arrival
    }
    guard passes(index, isUp, packet, now + delay / 2) else { return }
    agenda.plan(.arrival(index, isUp: isUp, packet), at: arrival)
  }

  /// Whether what lies between lets a packet pass.
  private mutating func passes(_ index: Int, _ isUp: Bool, _ packet: Packet, _ now: Int) -> Bool {
    guard let idle = script.idle else { return true }
    switch packet {
    case .syn, .synAnswer, .refusal: return true
    case .reset, .data, .acknowledgement: break
    }
    if !connections[index].isForgotten, let last = connections[index].lastPassed, now - last > idle.after {
      connections[index].isForgotten = true
    }
    guard !connections[index].isForgotten else {
      if isUp, idle.kind != .silent { reject(index, now) }
      return false
    }
    connections[index].lastPassed = max(now, connections[index].lastPassed ?? now)
    if idle.kind == .active {
      agenda.plan(.forgotten(index, since: now), at: now + idle.after)
    }
    return true
  }

  /// A reset from between, to the client.
  private mutating func reject(_ index: Int, _ now: Int) {
    guard !isInHole(isUp: false, at: now) else { return }
    let half = delay(isUp: false, at: now) / 2
    agenda.plan(.told(index, .reset), at: now + half)
  }

  /// A silence has been long enough for what lies between to end the connection.
  mutating func forgotten(_ index: Int, _ since: Int, _ now: Int) {
    guard !connections[index].isForgotten, connections[index].lastPassed == since,
      connections[index].isClientAlive || connections[index].isServerAlive == true
    else { return }
    connections[index].isForgotten = true
    reject(index, now)
    connections[index].isServerAlive = false
  }
}
