import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

// Event streams, and the pseudonyms of their ids.
extension CaptureRecorder {
  /// Writes the answer to an event stream's request.
  mutating func openStream(
    _ exchange: Exchange, _ status: Int?, _ head: HTTP1Head, _ digest: ResponseDigest, of index: Int
  ) {
    let (channel, generation) = (exchange.channel, exchange.generation)
    let isStream = head.facts.contains(.eventStream)
    let type: MediaType? = head.contentType.isPresent ? (isStream ? .eventStream : .other) : nil
    show(.in, .sseOpen(status: status, type: type, retry: digest.retry), channel, generation)
    guard !head.isInterim else { return }
    if status == 200, isStream, head.framing != .none {
      beginStream(channel, generation, head, of: index)
    } else {
      release(channel, generation)
    }
  }

  /// Begins to read a response's body as an event stream.
  mutating func beginStream(_ channel: Int, _ generation: Int, _ head: HTTP1Head, of index: Int) {
    var coding = StreamState.Coding.plain
    if !head.codings.isEmpty {
      coding = inflaters.body(head.codings, settings.limits).map { .inflated($0) } ?? .unreadable
    }
    let state = StreamState(
      channel: channel, generation: generation, key: settings.seed, coding: coding)
    if let slot = freeStreams.popLast() {
      streams[slot] = state
      connections[index].stream = slot
    } else {
      connections[index].stream = streams.count
      streams.append(state)
    }
    if case .unreadable = coding {
      counts.undecodable &+= 1
      emit(.recNote(.undecodable, rule: nil), channel, generation)
    }
  }

  /// Takes a piece of a stream's body.
  mutating func feedStream(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].stream
    guard slot >= 0 else { return }
    if streams[slot].isPlain {
      parse(bytes, of: slot)
      return
    }
    switch streams[slot].coding {
    case .plain: break
    case .inflated(let inflater): inflate(bytes, inflater, of: index)
    case .unreadable: break
    }
  }

  private mutating func inflate(_ bytes: Span<UInt8>, _ inflater: BodyInflater, of index: Int) {
    let slot = connections[index].stream
    streams[slot].take(bytes.count)
    var output: [UInt8] = []
    swap(&output, &scratch)
    defer { swap(&output, &scratch) }
    var offset = 0
    while true {
      var step = InflateStep(consumed: 0, status: .failed)
      var isFull = false
      output.removeAll(keepingCapacity: true)
      output.append(addingCapacity: 16_384) { out in
        step = inflater.inflate(bytes.extracting(offset..<bytes.count), into: &out)
        isFull = out.freeCapacity == 0
      }
      offset &+= step.consumed
      guard parse(output.span, of: slot) else { return giveUpStream(of: index, isOverLimit: true) }
      switch step.status {
      case .failed, .limit: return giveUpStream(of: index, isOverLimit: step.status == .limit)
      case .ended: return
      case .more: if !isFull, offset >= bytes.count || step.consumed == 0 { return }
      }
    }
  }

  /// Reads no more of a compressed stream, and writes why.
  private mutating func giveUpStream(of index: Int, isOverLimit: Bool) {
    counts.undecodable &+= 1
    if isOverLimit { limit(index, .in) }
    giveBackStream(connections[index].stream)
    streams[connections[index].stream].lose()
    guard !isOverLimit else { return }
    let (channel, generation) = place(of: index, .in)
    emit(.recNote(.undecodable, rule: nil), channel, generation)
  }

  /// Tells a connection's stream, if there is one, that what comes next does not follow on.
  ///
  /// Of a compressed one nothing more can be read.
  mutating func loseStream(_ index: Int) {
    let slot = connections[index].stream
    guard slot >= 0 else { return }
    if case .inflated = streams[slot].coding { return giveUpStream(of: index, isOverLimit: false) }
    streams[slot].lose()
  }

  /// Lets go of a stream's decompressors.
  private mutating func giveBackStream(_ slot: Int) {
    if case .inflated(let inflater) = streams[slot].coding { inflaters.giveBack(inflater.weight) }
  }

  /// Gives a connection's stream back to the pool.
  mutating func dropStream(_ index: Int) {
    let slot = connections[index].stream
    guard slot >= 0 else { return }
    giveBackStream(slot)
    streams[slot] = StreamState(channel: -1, generation: 0, key: 0, coding: .unreadable)
    freeStreams.append(slot)
    connections[index].stream = -1
  }

  /// Takes bytes as they were before compression; false if there is more in them than may be.
  @discardableResult
  private mutating func parse(_ bytes: Span<UInt8>, of slot: Int) -> Bool {
    let (channel, generation) = (streams[slot].channel, streams[slot].generation)
    var offset = 0
    var event = StreamState.Event()
    while offset < bytes.count, let item = streams[slot].next(bytes, &offset, &event) {
      if !streams[slot].isUnbounded {
        guard streams[slot].mayGive(settings.limits) else { return false }
        noteCut(slot)
      }
      switch item {
      case .event:
        let (id, revision) = identify(event, in: channel, of: slot)
        showFrequent(
          .in, .sseEvent(n: event.n, id: id, rev: revision, bytes: event.bytes), channel, generation)
      case .id:
        let id = pseudonym(EventID(streams[slot].parser), in: channel)
        show(.in, .sseID(id: id), channel, generation)
      case .comment: show(.in, .sseComment, channel, generation)
      case .retry(let milliseconds): show(.in, .sseRetry(ms: milliseconds), channel, generation)
      }
    }
    if !streams[slot].isUnbounded { noteCut(slot) }
    return true
  }

  /// Writes that a stream's block has an id or a type that is too long to be compared.
  private mutating func noteCut(_ slot: Int) {
    guard streams[slot].parser.cuts > streams[slot].cuts else { return }
    streams[slot].cuts = streams[slot].parser.cuts
    emit(Gap(dir: .in, why: .limit), streams[slot].channel, streams[slot].generation)
  }

  /// The pseudonym and the revision of the event that a stream's parser gave last.
  @inline(__always)
  private mutating func identify(
    _ event: StreamState.Event, in channel: Int, of slot: Int
  ) -> (id: Int?, revision: Int) {
    guard let id = event.id, channel >= 0 else { return (nil, 1) }
    if event.table < 0 { streams[slot].table = pseudonyms.index(of: channel) }
    let table = event.table < 0 ? streams[slot].table : event.table
    let found = pseudonyms.identify(id, content: event.content, in: channel, table: table)
    noteForgotten(channel)
    return (found.id, found.revision)
  }

  /// Writes how a stream ended, and lets its channel go.
  mutating func cutStream(_ cause: CutCause, _ direction: Direction, of index: Int) {
    let slot = connections[index].stream
    guard slot >= 0 else { return }
    let (channel, generation) = (streams[slot].channel, streams[slot].generation)
    emit(.sseCut(cause: cause, dir: direction, partial: streams[slot].partial), channel, generation)
    dropStream(index)
    release(channel, generation)
  }

  // MARK: Pseudonyms

  /// The pseudonym's number of an event id or cursor; 0 for the empty one.
  mutating func pseudonym(_ id: EventID, in channel: Int) -> Int {
    defer { noteForgotten(channel) }
    return pseudonyms.number(of: id, in: channel)
  }

  /// Writes that a table of pseudonyms has begun to forget, if one has.
  @inline(__always)
  mutating func noteForgotten(_ channel: Int) {
    if pseudonyms.hasForgotten { tellForgotten(channel) }
  }

  @inline(never)
  private mutating func tellForgotten(_ channel: Int) {
    guard pseudonyms.takeForgotten() else { return }
    emit(.recNote(.idForgot, rule: nil), channel, book[channel].generation)
  }
}
