import GoldwirePackets
import GoldwireProtocols
import GoldwireTrace

// How connections end.
extension CaptureRecorder {
  /// A side ended its stream, or aborted the connection.
  mutating func end(_ index: Int, _ side: Side, isReset: Bool) {
    let direction = direction(side, of: index)
    giveUpRecognition(index)
    switch connections[index].mode {
    case .unknown: break
    case .http: isReset ? resetHTTP(index, direction) : finishHTTP(index, direction)
    case .webSocket: endSocket(index, isReset ? .reset : .fin, direction)
    case .opaque: break
    }
    let isFirst = !connections[index].hasEnded.out && !connections[index].hasEnded.in
    if isReset || direction == .out { connections[index].hasEnded.out = true }
    if isReset || direction == .in { connections[index].hasEnded.in = true }
    if connections[index].mode == .opaque {
      endOpaque(index, isReset ? .reset : .fin, direction, isFirst: isFirst)
    }
    if isFirst { release(connections[index].channel, connections[index].generation) }
    if connections[index].hasEnded.out, connections[index].hasEnded.in { close(index) }
  }

  /// A direction ended in good order.
  private mutating func finishHTTP(_ index: Int, _ direction: Direction) {
    let slot = connections[index].http
    let nothing: [UInt8] = []
    while connections[index].http == slot, let event = https[slot].finish(direction) {
      if direction == .out {
        request(event, nothing.span, of: index)
      } else {
        response(event, nothing.span, of: index)
      }
    }
    guard connections[index].http == slot else { return }
    if direction == .in {
      failAll(index, .fin, .in)
    } else if connections[index].stream >= 0 {
      cutStream(.local, .out, of: index)
    } else if https[slot].isHandshakeAlone {
      // Nobody who still wants a WebSocket ends his stream before the answer to its handshake.
      failAll(index, .fin, .out)
      https[slot].isGivenUp = true
    }
  }

  /// The connection was aborted by a side.
  private mutating func resetHTTP(_ index: Int, _ direction: Direction) {
    failAll(index, .reset, direction)
  }

  /// Writes that every request without a whole response failed.
  private mutating func failAll(_ index: Int, _ cause: Cause, _ direction: Direction) {
    let slot = connections[index].http
    dropHiddenAnswer(of: index)
    if connections[index].stream >= 0 {
      cutStream(direction == .out ? .local : cause == .reset ? .reset : .eof, direction, of: index)
    }
    // Nobody can tell whether there was to be a body.
    if https[slot].responses.isUncertain { https[slot].receiving = nil }
    if let exchange = https[slot].receiving {
      https[slot].receiving = nil
      if exchange.kind == .http {
        if https[slot].receivedBytes > 0 {
          emit(
            .httpBody(
              HTTPBody(
                req: exchange.request, attempt: exchange.attempt, dir: .in,
                bytes: https[slot].receivedBytes, done: false)), exchange.channel, exchange.generation)
        }
        writeError(exchange, cause, direction, of: index)
      }
    }
    let isUnanswered = https[slot].isUnanswered
    for exchange in https[slot].takeAll() {
      guard isUnanswered else {
        // The response may lie in a hole: nobody can tell.
        if exchange.kind != .http { release(exchange.channel, exchange.generation) }
        continue
      }
      switch exchange.kind {
      case .http: writeError(exchange, cause, direction, of: index)
      case .webSocket where isLocal(direction, of: index):
        emit(
          .wsEnd(cause: cause == .reset ? .reset : .fin, dir: .out), exchange.channel, exchange.generation)
        release(exchange.channel, exchange.generation)
      case .webSocket:
        emit(
          .wsRefused(cause: cause, status: nil, retry: RetryFields()), exchange.channel,
          exchange.generation)
        release(exchange.channel, exchange.generation)
      case .eventStream:
        let isLocal = isLocal(direction, of: index)
        let how: CutCause = isLocal ? .local : cause == .reset ? .reset : .eof
        emit(
          .sseCut(cause: how, dir: isLocal ? .out : direction, partial: 0), exchange.channel,
          exchange.generation)
        release(exchange.channel, exchange.generation)
      }
    }
  }

  /// Whether the client ended the connection, or its own stream of it before the server's end.
  func isLocal(_ direction: Direction, of index: Int) -> Bool {
    direction == .out || connections[index].hasEnded.out
  }

  /// A connection vanished: its ports were used again, or it had to make room.
  mutating func vanish(_ index: Int, isReused: Bool) {
    guard connections.indices.contains(index), connections[index].isAlive else { return }
    if !isReused {
      // One on which nothing was said takes nothing with it.
      giveUpRecognition(index)
      let (channel, generation) = place(of: index, nil)
      return emit(Gap(why: .limit), channel, generation)
    }
    switch connections[index].mode {
    case .unknown: break
    case .http: failAll(index, .other, .in)
    case .webSocket: endSocket(index, .error, nil)
    case .opaque: endOpaque(index, .other, nil, isFirst: true)
    }
  }

  // MARK: Refused

  /// A connection was refused before any byte, or could not be made.
  mutating func refuse(_ index: Int, by side: Side, _ cause: Cause) {
    let reserved = takeAttempt(of: index)
    if connections[index].client == nil { setClient(side.other, of: index) }
    writeRefused(index, cause, reserved)
    connections[index].hasEnded = (true, true)
    close(index)
  }

  /// Notes a SYN of the client.
  mutating func attempt(_ index: Int) {
    if connections[index].attempt >= 0 { return attempts.again(connections[index].attempt, at: now) }
    guard table.facts(of: index, (connections[index].client ?? .first).other).lastSegment == nil else {
      return
    }
    let ticket = lines.reserve(at: now)
    let (slot, displaced) = attempts.add(index, ticket: ticket, at: now, limit: settings.limits.attempts)
    if let displaced {
      connections[displaced.connection].attempt = -1
      // Whether it gets an answer will not be told.
      counts.opaque &+= 1
    }
    connections[index].attempt = slot
  }

  /// Takes a connection's attempt out of the list.
  mutating func takeAttempt(of index: Int) -> AttemptList.Attempt? {
    let slot = connections[index].attempt
    connections[index].attempt = -1
    return slot >= 0 ? attempts.remove(slot) : nil
  }

  /// Forgets the attempt of a connection that makes room; a repeated one was in vain.
  mutating func giveUp(_ index: Int) {
    guard let attempt = takeAttempt(of: index), attempt.count > 1 else { return }
    writeRefused(index, .timeout, attempt)
  }

  /// Writes the attempts whose time is over by `instant`, each at the end of its time.
  mutating func expireAttempts(by instant: Int) {
    guard attempts.mayBeDue(at: instant) else { return }
    while let attempt = attempts.removeDue(at: instant) {
      now = max(now, attempt.deadline)
      connections[attempt.connection].attempt = -1
      writeRefused(attempt.connection, .timeout, attempt)
    }
  }

  /// Writes the repeated attempts that the recording's end leaves without an answer.
  mutating func finishAttempts() {
    while let attempt = attempts.removeOldest() {
      connections[attempt.connection].attempt = -1
      if attempt.count > 1 { writeRefused(attempt.connection, .timeout, attempt) }
    }
  }

  /// Writes a refused connection as the next generation of the one channel that can be meant, or as opaque.
  private mutating func writeRefused(_ index: Int, _ cause: Cause, _ attempt: AttemptList.Attempt?) {
    // One that began while the channel was in use did not take it up again.
    guard !settings.splits, let channel = book.onlyFree(at: connections[index].endpoint),
      book[channel].channel.family != .tcp, attempt?.first ?? .max >= book[channel].freeSince
    else {
      let (channel, generation) = claim(.tcp, path: 0, by: index, isRefused: true)
      counts.opaque &+= 1
      emit(
        .recOpaque(Opaque(at: .end, why: .other, cause: cause, dir: .in)), channel, generation)
      return release(channel, generation)
    }
    book.takeFree(at: channel, holder: index)
    let generation = book[channel].generation
    let name = book[channel].channel
    switch name.family {
    case .ws, .sse:
      let event: TraceEvent = name.family == .ws ? .wsConnect : .sseConnect(cursor: nil)
      let line = TraceLine(t: now, channel: name, generation: generation, event: event)
      let isPlaced = attempt.map { lines.fill($0.ticket, line) } ?? false
      if !isPlaced { lines.append(line) }
      emit(
        name.family == .ws
          ? .wsRefused(cause: cause, status: nil, retry: RetryFields())
          : .sseCut(cause: .error, dir: .in, partial: 0), channel, generation)
    case .http, .tls, .tcp:
      let why: OpaqueReason = name.family == .tls ? .noKeys : .other
      emit(.recOpaque(Opaque(at: .end, why: why, cause: cause, dir: .in)), channel, generation)
    }
    release(channel, generation)
  }
}
