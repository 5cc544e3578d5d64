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
    if head.codings.count == 1, !head.codings.isTooLong {
      let format: Inflater.Format? =
        switch head.codings[0] {
        case .gzip: .gzip
        case .deflate: .httpDeflate
        case .brotli, .zstd, .compress, .other: nil
        }
      let inflater = format.flatMap { inflaters.make($0, settings.limits) }
      coding = inflater.map { .inflated($0) } ?? .unreadable
    } else if !head.codings.isEmpty {
      coding = .unreadable
    }
    let slot = connections[index].http
    https[slot].stream = StreamState(
      channel: channel, generation: generation, key: settings.seed, coding: coding)
    if case .unreadable = coding {
      counts.undecodable &+= 1
      emit(.recNote(.undecodable, rule: nil), channel, generation)
    }
  }

  /// Takes a piece of a stream's body.
  mutating func feedStream(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    switch https[slot].stream?.coding {
    case .plain: parse(bytes, of: index)
    case .inflated(let inflater): inflate(bytes, inflater, of: index)
    case .unreadable, nil: break
    }
  }

  private mutating func inflate(_ bytes: Span<UInt8>, _ inflater: any Inflating, of index: Int) {
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
      parse(output.span, of: index)
      switch step.status {
      case .failed:
        counts.undecodable &+= 1
        let slot = connections[index].http
        guard let stream = https[slot].stream else { return }
        https[slot].stream?.coding = .unreadable
        inflaters.giveBack(1)
        emit(.recNote(.undecodable, rule: nil), stream.channel, stream.generation)
        return
      case .ended: return
      case .more: if !isFull, offset >= bytes.count || step.consumed == 0 { return }
      }
    }
  }

  private mutating func parse(_ bytes: Span<UInt8>, of index: Int) {
    let slot = connections[index].http
    var offset = 0
    while let item = https[slot].stream?.next(bytes, &offset) {
      guard let stream = https[slot].stream else { return }
      let (channel, generation) = (stream.channel, stream.generation)
      switch item {
      case .event:
        https[slot].stream?.events &+= 1
        let (id, revision) = identify(stream)
        show(
          .in,
          .sseEvent(n: stream.events &+ 1, id: id, rev: revision, bytes: stream.parser.dataCount),
          channel, generation)
      case .id:
        let id = pseudonym(EventID(stream.parser.id.span, key: settings.seed), in: channel)
        show(.in, .sseID(id: id), channel, generation)
      case .comment: show(.in, .sseComment, channel, generation)
      case .retry(let milliseconds): show(.in, .sseRetry(ms: milliseconds), channel, generation)
      }
    }
  }

  /// The pseudonym and the revision of the event that a stream's parser gave last.
  private mutating func identify(_ stream: StreamState) -> (id: Int?, revision: Int) {
    guard stream.parser.hasID, stream.channel >= 0 else { return (nil, 1) }
    guard case .hash(let hash) = EventID(stream.parser.id.span, key: settings.seed) else { return (0, 1) }
    let (table, place) = entry(hash, in: stream.channel)
    return (
      tables[table].ids.number(at: place),
      tables[table].ids.revision(of: stream.parser.contentDigest, at: place)
    )
  }

  /// Writes how a stream ended, and lets its channel go.
  mutating func cutStream(_ cause: CutCause, _ direction: Direction, of index: Int) {
    let slot = connections[index].http
    guard let stream = https[slot].stream else { return }
    https[slot].stream = nil
    if case .inflated = stream.coding { inflaters.giveBack(1) }
    emit(
      .sseCut(cause: cause, dir: direction, partial: stream.partial), stream.channel, stream.generation)
    release(stream.channel, stream.generation)
  }

  // MARK: Pseudonyms

  /// The pseudonym's number of an event id or cursor; 0 for the empty one.
  mutating func pseudonym(_ id: EventID, in channel: Int) -> Int {
    guard case .hash(let hash) = id, channel >= 0 else { return 0 }
    let (table, place) = entry(hash, in: channel)
    return tables[table].ids.number(at: place)
  }

  private mutating func entry(_ hash: UInt64, in channel: Int) -> (table: Int, place: Int) {
    let table = tableIndex(channel)
    let (count, forgotten) = (tables[table].ids.count, tables[table].ids.forgotten)
    let place = tables[table].ids.place(of: hash, mayGrow: eventIDs < settings.limits.eventIDsInAll)
    eventIDs &+= tables[table].ids.count &- count
    if tables[table].ids.forgotten > forgotten, forgotten % settings.limits.eventIDs == 0 {
      emit(.recNote(.idForgot, rule: nil), channel, book[channel].generation)
    }
    return (table, place)
  }

  /// The pseudonym's number of an idempotency key.
  mutating func keyNumber(_ hash: UInt64, in channel: Int) -> Int {
    let table = tableIndex(channel)
    return tables[table].keys.number(of: hash)
  }

  private mutating func tableIndex(_ channel: Int) -> Int {
    if book[channel].tables < 0 {
      book[channel].tables = tables.count
      tables.append(
        StreamTables(
          ids: PseudonymTable(limit: settings.limits.eventIDs),
          keys: PseudonymTable(limit: settings.limits.keys)))
    }
    return book[channel].tables
  }
}

extension EventID {
  fileprivate init(_ bytes: Span<UInt8>, key: UInt64) {
    self = bytes.isEmpty ? .empty : .hash(KeyedHash.of(bytes, key: key))
  }
}
