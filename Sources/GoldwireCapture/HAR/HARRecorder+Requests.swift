import GoldwireProtocols
import GoldwireTrace

// Requests and their responses.
extension HARRecorder {
  mutating func start(_ index: Int) {
    let entry = entries[index]
    let family: Channel.Family =
      switch entry.exchange.kind {
      case .http: .http
      case .webSocket: .ws
      case .eventStream: .sse
      }
    let (channel, generation) = claim(family, for: index)
    entries[index].exchange.channel = channel
    entries[index].exchange.generation = generation
    guard channel >= 0 else { return }
    switch entry.exchange.kind {
    case .webSocket: emit(.wsConnect, channel, generation)
    case .eventStream:
      let cursor = entry.cursor.map { pseudonyms.number(of: $0, in: channel) }
      noteForgotten(channel)
      emit(.sseConnect(cursor: cursor), channel, generation)
    case .http:
      book.number(&entries[index].exchange, at: now)
      let exchange = entries[index].exchange
      let key = entry.key == 0 ? nil : pseudonyms.key(entry.key, in: channel)
      emit(
        .httpSend(
          HTTPSend(
            req: exchange.request, attempt: exchange.attempt, hop: exchange.hopKey,
            method: exchange.identity.method, key: key, bytes: entry.announced)), exchange)
    }
  }

  mutating func sent(_ index: Int) {
    let entry = entries[index]
    let exchange = entry.exchange
    let differs = exchange.body.map { exchange.expected ?? $0 != $0 } ?? false
    emit(
      .httpBody(
        HTTPBody(
          req: exchange.request, attempt: exchange.attempt, dir: .out, bytes: entry.sentBytes,
          done: entry.isAnswered ? true : nil, differs: differs ? .body : [])), exchange)
  }

  mutating func answer(_ index: Int) {
    let entry = entries[index]
    let exchange = entry.exchange
    guard exchange.channel >= 0 else { return }
    let (clock, now, seed) = (clock, now, settings.seed)
    let epoch = base.addingReportingOverflow(now).partialValue
    var latest = LatestDate()
    let digest = HARHead.read(entry.head, .responses) {
      ResponseDigest(
        $0, $1, clock, epoch: epoch, at: now, exchange, key: seed, isSecure: entry.isSecure, &latest)
    }
    guard let digest else { return }
    let status = (100...599).contains(entry.status) ? entry.status : nil
    let facts = HARHead.read(entry.head, .responses) {
      (hasType: $1.contentType.isPresent, deflates: $1.extensions.deflate != nil)
    }
    let type: MediaType? = facts?.hasType == true ? (entry.isEventStream ? .eventStream : .other) : nil
    switch exchange.kind {
    case .http: answerRequest(index, status, digest, type)
    case .webSocket:
      if entry.status == 101 || entry.hasTalked {
        let deflates = facts?.deflates == true
        emit(.wsOpen(status: status, deflate: deflates ? true : nil), exchange)
        states[index] = State(channel: exchange.channel, generation: exchange.generation)
      } else {
        emit(.wsRefused(cause: .status, status: status, retry: digest.retry), exchange)
      }
    case .eventStream:
      emit(.sseOpen(status: status, type: type, retry: digest.retry), exchange)
      if entry.status == 200, entry.isEventStream {
        states[index] = State(channel: exchange.channel, generation: exchange.generation)
      }
    }
    if status == nil, entry.status > 0 { emit(.recNote(.statusOut, rule: nil), exchange) }
  }

  private mutating func answerRequest(
    _ index: Int, _ status: Int?, _ digest: ResponseDigest, _ type: MediaType?
  ) {
    let entry = entries[index]
    let exchange = entry.exchange
    var number: Int?
    if entry.isEventStream, (200..<300).contains(entry.status) {
      let (channel, generation) = claim(.sse, for: index)
      if channel >= 0 {
        number = book[channel].channel.number
        states[index] = State(channel: channel, generation: generation)
      }
    }
    emit(
      .httpResponse(
        HTTPResponse(
          req: exchange.request, attempt: exchange.attempt, hop: exchange.hopKey, status: status,
          retry: digest.retry, type: type, sse: number)), exchange)
    guard let status else { return }
    book.answer(exchange, status, digest, clock, at: now, limit: settings.limits.failures)
  }

  mutating func end(_ index: Int) {
    let entry = entries[index]
    var exchange = entry.exchange
    guard exchange.channel >= 0 else { return }
    if let state = states.removeValue(forKey: index) {
      cut(entry, state)
    } else if exchange.kind == .eventStream {
      if let failure = entry.failure { emit(failure.cut(partial: 0), exchange) }
      release(exchange.channel, exchange.generation)
    }
    guard exchange.kind == .http else { return }
    if entry.receivedBytes > 0, entry.isAnswered {
      emit(
        .httpBody(
          HTTPBody(
            req: exchange.request, attempt: exchange.attempt, dir: .in, bytes: entry.receivedBytes,
            done: entry.failure == nil)), exchange)
    }
    switch entry.failure {
    case .failed(let cause):
      exchange.isSent = entry.isAnswered
      emit(
        .httpError(
          req: exchange.request, try: exchange.attempt, cause: cause, sent: entry.isAnswered ? true : nil),
        exchange)
      book.fail(exchange, wait: 0, at: now, limit: settings.limits.failures)
    case .cancelled: emit(.httpCancel(req: exchange.request), exchange)
    case nil: break
    }
  }
}
