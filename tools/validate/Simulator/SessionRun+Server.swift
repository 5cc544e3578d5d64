/// The server: its kernel answers at once, its loop when it runs.
extension SessionRun {
  private func isDead(_ now: Int) -> Bool {
    script.restarts.contains { $0.kind == .death && $0.span.contains(now) }
  }

  private func isDown(_ now: Int) -> Bool {
    script.restarts.contains { $0.kind != .death && $0.span.contains(now) }
  }

  /// A packet reaches the server's host.
  mutating func reachServer(_ index: Int, _ packet: Packet, _ now: Int) {
    guard !isDead(now) else { return }
    if case .syn = packet {
      guard !isDown(now) else { return put(index, false, .refusal, now) }
      if connections[index].isServerAlive == nil { connections[index].isServerAlive = true }
      return put(index, false, .synAnswer, now)
    }
    guard connections[index].isServerAlive == true else { return put(index, false, .reset, now) }
    switch packet {
    case .acknowledgement(let count):
      let (repeats, isNews) = connections[index].down.acknowledge(count, at: now)
      for place in repeats { put(index, false, .data(place), now) }
      if isNews { arm(index, false, now) }
    case .data(let place):
      for ready in connections[index].atServer.receive(place) {
        agenda.plan(.served(index, connections[index].up.segments[ready].payload), at: served(from: now))
      }
      put(index, false, .acknowledgement(connections[index].atServer.count), now)
    case .syn, .synAnswer, .refusal, .reset: break
    }
  }

  /// When the loop takes up what is there now.
  private func served(from now: Int) -> Int {
    script.busy.first { $0.contains(now) }?.upperBound ?? now + 500
  }

  /// The loop handles a message.
  mutating func served(_ index: Int, _ payload: Payload, _ now: Int) {
    guard connections[index].isServerAlive == true else { return }
    switch payload {
    case .request: send(index, isUp: false, .switched, now)
    case .ping:
      if script.leastGap > 0, let last = connections[index].lastPing, now - last < script.leastGap {
        return kill(index, .closed(1_008), now)
      }
      connections[index].lastPing = now
      send(index, isUp: false, .pong, now)
    case .question: send(index, isUp: false, .answer, now)
    case .message: break
    case .answer: send(index, isUp: false, .message, now)
    case .switched, .pong, .close: break
    }
  }

  /// The server has something to say of itself.
  mutating func push(_ now: Int) {
    guard let last = connections.indices.last, connections[last].isServerAlive == true,
      !connections[last].down.segments.isEmpty
    else { return }
    // What the loop is told to say, it says when it runs.
    agenda.plan(.served(last, .answer), at: served(from: now))
  }

  /// The server ends a connection; the client learns of it, unless a hole eats it.
  mutating func kill(_ index: Int, _ fate: Fate, _ now: Int) {
    connections[index].isServerAlive = false
    guard !isInHole(isUp: false, at: now) else { return }
    let delay = delay(isUp: false, at: now)
    agenda.plan(.told(index, fate), at: now + delay)
  }

  mutating func restart(_ kind: FaultScript.Restart.Kind, _ now: Int) {
    guard let last = connections.indices.last, connections[last].isServerAlive == true else { return }
    switch kind {
    case .death: connections[last].isServerAlive = false
    case .reset: kill(last, .reset, now)
    case .fin: kill(last, .fin, now)
    case .close: kill(last, .closed(1_001), now)
    }
  }
}
