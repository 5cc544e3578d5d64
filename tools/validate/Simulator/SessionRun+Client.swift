internal import GoldwireMachines

/// The client: the product's machine, and a transport.
extension SessionRun {
  mutating func connect(_ now: Int) {
    let side = SendingSide<Payload>(
      leastWait: script.leastWait, mostWait: script.mostWait, probes: script.probes)
    connections.append(Connection(up: side, down: side))
    let index = connections.count - 1
    _ = machine.connect(as: index + 1, now: now)
    tape.begin(index + 1, now)
    planWake(index)
    syn(index, 1_000_000, now)
  }

  /// A SYN, and the next one for when it is not answered.
  mutating func syn(_ index: Int, _ pause: Int, _ now: Int) {
    guard connections[index].isClientAlive, !connections[index].hasAsked else { return }
    put(index, true, .syn, now)
    agenda.plan(.syn(index, pause: 2 * pause), at: now + pause)
  }

  /// The client's timer, as late as timers are.
  private mutating func planWake(_ index: Int) {
    guard let due = machine.wakeup else { return }
    agenda.plan(.wake(index), at: due + lateness(at: due))
  }

  private func lateness(at t: Int) -> Int {
    script.isMean ? script.lateness / 2 : weather.within(script.lateness, .lateness, at: t)
  }

  mutating func wake(_ index: Int, _ now: Int) {
    guard index + 1 == machine.generation else { return }
    switch machine.tick(now: now) {
    case .ping:
      tape.tapPing(index + 1, now)
      send(index, isUp: true, .ping, now)
      planWake(index)
    case .close:
      let isConnecting = machine.cause == .connectTimeout
      tape.close(
        index + 1, isConnecting: isConnecting, isHeld: connections[index].up.backoff > 0, now)
      leave(index, now)
    case .ended, nil: break
    }
  }

  private mutating func leave(_ index: Int, _ now: Int) {
    connections[index].isClientAlive = false
    agenda.plan(.connect, at: now + Self.pause + lateness(at: now))
  }

  /// A connection ends from outside.
  mutating func told(_ index: Int, _ fate: Fate, _ now: Int) {
    guard connections[index].isClientAlive else { return }
    let code: Int? = if case .closed(let code) = fate { code } else { nil }
    let cause: Heartbeat.Cause =
      switch fate {
      case .reset: .reset
      case .fin: .fin
      case .refused: .refused
      case .closed: .peerClosed
      }
    guard machine.ended(index + 1, cause: cause, code: code) != nil else { return }
    tape.end(index + 1, fate, isOpen: connections[index].isOpen, now)
    leave(index, now)
  }

  /// A packet reaches the client's host.
  mutating func reachClient(_ index: Int, _ packet: Packet, _ now: Int) {
    guard connections[index].isClientAlive else { return }
    switch packet {
    case .synAnswer:
      guard !connections[index].hasAsked else { return }
      connections[index].hasAsked = true
      send(index, isUp: true, .request, now)
    case .refusal: told(index, .refused, now)
    case .reset: told(index, .reset, now)
    case .acknowledgement(let count):
      let (repeats, isNews) = connections[index].up.acknowledge(count, at: now)
      if isNews, !connections[index].up.isOutstanding { tape.captureAcknowledged(index + 1, now) }
      for place in repeats {
        let segment = connections[index].up.segments[place]
        if !segment.isRepeated { tape.captureSent(segment.payload, index + 1, now) }
        put(index, true, .data(place), now)
      }
      if isNews { arm(index, true, now) }
    case .data(let place):
      for ready in connections[index].atClient.receive(place) where connections[index].isClientAlive {
        receive(index, connections[index].down.segments[ready].payload, now)
      }
      guard connections[index].isClientAlive else { return }
      put(index, true, .acknowledgement(connections[index].atClient.count), now)
    case .syn: break
    }
  }

  private mutating func receive(_ index: Int, _ payload: Payload, _ now: Int) {
    switch payload {
    case .switched:
      connections[index].isOpen = true
      machine.opened(index + 1, now: now)
      tape.open(index + 1, now)
      planWake(index)
    case .pong:
      tape.pong(index + 1, now)
      machine.pong(index + 1, now: now)
      planWake(index)
    case .message, .answer: tape.message(index + 1, now)
    case .request, .ping, .question, .close: break
    }
  }

  /// The app has something to say.
  mutating func clientSends(_ payload: Payload, _ now: Int) {
    guard let last = connections.indices.last, connections[last].isClientAlive, connections[last].isOpen
    else { return }
    tape.tapSent(last + 1, now)
    send(last, isUp: true, payload, now)
  }
}
