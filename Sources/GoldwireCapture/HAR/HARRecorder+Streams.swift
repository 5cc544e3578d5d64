import GoldwireTrace

// Event streams and WebSockets, once they are open.
extension HARRecorder {
  mutating func streamItem(_ index: Int, _ place: Int) {
    guard let state = states[index] else { return }
    let item = entries[index].stream.items[place]
    if item.time == nil, !state.isNoted {
      states[index]?.isNoted = true
      emit(.recNote(.timesLost, rule: nil), state.channel, state.generation)
    }
    switch item.kind {
    case .event(let id, let content, let bytes):
      states[index]?.events += 1
      let found = id.map { pseudonyms.identify($0, content: content, in: state.channel) }
      noteForgotten(state.channel)
      emit(
        .sseEvent(n: state.events + 1, id: found?.id, rev: found?.revision ?? 1, bytes: bytes),
        state.channel, state.generation)
    case .id(let id):
      let number = pseudonyms.number(of: id, in: state.channel)
      noteForgotten(state.channel)
      emit(.sseID(id: number), state.channel, state.generation)
    case .comment: emit(.sseComment, state.channel, state.generation)
    case .retry(let milliseconds): emit(.sseRetry(ms: milliseconds), state.channel, state.generation)
    }
  }

  mutating func cut(_ entry: HAREntry, _ state: State) {
    // An entry may stand for a stream that was still open when the file was written; a later request shows
    // that it was not.
    let isOpen =
      writesOpenEntries && entry.failure == nil
      && latest[key(.sse, entry)] ?? .min < entry.start &+ entry.ended
    if !isOpen {
      let event = entry.failure?.cut(partial: entry.stream.partial)
      emit(
        event ?? .sseCut(cause: .eof, dir: .in, partial: entry.stream.partial), state.channel,
        state.generation)
    }
    release(state.channel, state.generation)
  }

  mutating func noteForgotten(_ channel: Int) {
    guard pseudonyms.takeForgotten() else { return }
    emit(.recNote(.idForgot, rule: nil), channel, book[channel].generation)
  }

  // MARK: WebSockets

  mutating func message(_ index: Int, _ place: Int) {
    guard var state = states[index], !state.isOver else { return }
    let message = entries[index].messages[place]
    let (channel, generation) = (state.channel, state.generation)
    if message.time == nil, !state.isNoted {
      state.isNoted = true
      emit(.recNote(.timesLost, rule: nil), channel, generation)
    }
    switch message.kind {
    case .text, .binary:
      var fields = WSMessage(
        dir: message.direction, kind: message.kind == .text ? .text : .binary, bytes: message.bytes)
      if let beat = message.beat {
        fields.beat = beat.beat
        fields.id = state.beats.beat(
          beat, message.direction, limit: settings.limits.pings, key: settings.seed)
      }
      emit(.wsMessage(fields), channel, generation)
    case .ping:
      let id = state.pings.ping(message.content, message.direction, limit: settings.limits.pings)
      emit(.wsPing(dir: message.direction, id: id, bytes: message.bytes), channel, generation)
    case .pong:
      let id = state.pings.pong(message.content, message.direction)
      emit(.wsPong(dir: message.direction, id: id, bytes: message.bytes), channel, generation)
    case .close:
      let code = message.code.flatMap { (1000...4999).contains($0) ? $0 : nil }
      emit(
        .wsClose(
          dir: message.direction, code: code, by: message.direction == .out ? .unknown : nil), channel,
        generation)
      if message.code != nil, code == nil { emit(.recNote(.codeOut, rule: nil), channel, generation) }
    case .failure:
      state.isOver = true
      emit(.wsEnd(cause: .error, dir: nil), channel, generation)
    }
    states[index] = state
  }

  mutating func endSocket(_ index: Int) {
    let entry = entries[index]
    let exchange = entry.exchange
    if let state = states.removeValue(forKey: index) {
      if !state.isOver, let cause = entry.failure?.cause, entry.status > 0 {
        emit(.wsEnd(cause: EndCause(cause), dir: nil), exchange)
      }
    } else if !entry.isAnswered, let failure = entry.failure {
      emit(.wsRefused(cause: failure.cause ?? .other, status: nil, retry: RetryFields()), exchange)
    }
    release(exchange.channel, exchange.generation)
  }
}

extension HARFailure {
  /// How an event stream ends by it.
  func cut(partial: Int) -> TraceEvent {
    switch self {
    case .cancelled: .sseCut(cause: .local, dir: .out, partial: partial)
    case .failed(.reset): .sseCut(cause: .reset, dir: .in, partial: partial)
    case .failed(.fin): .sseCut(cause: .eof, dir: .in, partial: partial)
    case .failed: .sseCut(cause: .error, dir: .in, partial: partial)
    }
  }
}

extension EndCause {
  fileprivate init(_ cause: Cause) {
    switch cause {
    case .reset: self = .reset
    case .fin: self = .fin
    case .timeout: self = .timeout
    default: self = .error
    }
  }
}
