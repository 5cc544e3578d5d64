import GoldwireTrace

/// The way from the entries of a HAR to the lines of a trace, moment by moment.
///
/// Channels, pseudonyms and tries are those of a packet capture. A HAR shows no connection's end: an origin's
/// requests are one channel, and of a WebSocket or event stream the next generation begins once the one before
/// has shown its last sign.
struct HARRecorder {
  let settings: RecordSettings
  let clock: WallClock
  let base: Int
  let writesOpenEntries: Bool
  var entries: [HAREntry]
  var book: ChannelBook
  var pseudonyms: Pseudonyms
  /// The instant of the moment at hand.
  var now = 0
  /// Lines that are made and not given yet, and how many of them were given.
  private var ready: [TraceLine] = []
  private var given = 0
  private let moments: [HARMoment]
  private var next = 0
  private var isEnded = false
  private var isLimitNoted = false
  /// What is known of each WebSocket and event stream while it lasts, by entry.
  var states: [Int: State] = [:]
  /// The latest begin of each event stream's requests, by channel key.
  var latest: [UInt64: Int] = [:]

  /// A WebSocket or event stream that lasts.
  struct State {
    var channel: Int
    var generation: Int
    var pings = PingPair()
    var beats = PingPair()
    var events = 0
    var isOver = false
    var isNoted = false
  }

  /// Makes a recorder of what a log holds.
  init(_ log: HARLog, grain: Int, _ settings: RecordSettings) {
    var entries = log.entries
    if log.startsAtRequest { for index in entries.indices { entries[index].startAtRequest() } }
    // What is still under way when the file is written has neither an answer nor a failure yet.
    if log.writesOpenEntries {
      for index in entries.indices where entries[index].isUnexplained { entries[index].failure = nil }
    }
    let timeline = HARTimeline(entries, grain: grain)
    self.settings = settings
    base = timeline.base
    clock = WallClock(beginning: timeline.base)
    moments = timeline.moments
    self.entries = entries
    writesOpenEntries = log.writesOpenEntries
    book = ChannelBook(limit: settings.limits.channels)
    pseudonyms = Pseudonyms(limits: settings.limits)
    for entry in entries where entry.exchange.kind == .eventStream {
      let key = key(.sse, entry)
      latest[key] = max(latest[key] ?? .min, entry.start)
    }
  }

  /// The next line, or nil behind the end of the recording.
  mutating func nextLine() -> TraceLine? {
    while given == ready.count {
      ready.removeAll(keepingCapacity: true)
      given = 0
      if next < moments.count {
        now = moments[next].t
        perform(moments[next])
        next += 1
      } else if !isEnded {
        isEnded = true
        ready.append(TraceLine(t: now, event: .recEnd(why: .eof, counts: nil)))
      } else {
        return nil
      }
    }
    defer { given += 1 }
    return ready[given]
  }

  private mutating func perform(_ moment: HARMoment) {
    let kind = entries[moment.entry].exchange.kind
    switch (moment.stage, kind) {
    case (.start, _): start(moment.entry)
    case (.sent, _): sent(moment.entry)
    case (.answer, _): answer(moment.entry)
    case (.item, .webSocket): message(moment.entry, moment.item)
    case (.item, .http), (.item, .eventStream): streamItem(moment.entry, moment.item)
    case (.end, .webSocket): endSocket(moment.entry)
    case (.end, .http), (.end, .eventStream): end(moment.entry)
    }
  }

  // MARK: Channels

  private func emitted(_ event: TraceEvent, _ channel: Int, _ generation: Int) -> TraceLine? {
    guard channel >= 0 else { return nil }
    return TraceLine(t: now, channel: book[channel].channel, generation: generation, event: event)
  }

  mutating func emit(_ event: TraceEvent, _ channel: Int, _ generation: Int) {
    if let line = emitted(event, channel, generation) { ready.append(line) }
  }

  mutating func emit(_ event: TraceEvent, _ exchange: Exchange) {
    emit(event, exchange.channel, exchange.generation)
  }

  func key(_ family: Channel.Family, _ entry: HAREntry) -> UInt64 {
    ChannelBook.key(
      family, endpoint: entry.endpoint, path: family == .http ? 0 : entry.exchange.path,
      seed: settings.seed)
  }

  mutating func claim(_ family: Channel.Family, for index: Int) -> (channel: Int, generation: Int) {
    let entry = entries[index]
    var key = key(family, entry)
    var found: Int?
    if settings.splits {
      // Each connection that the file names is a channel, and each entry of which it names none.
      key ^= entry.connection == 0 ? UInt64(index) &* 0x9E37_79B9_7F4A_7C15 | 1 : entry.connection
      if family == .http { found = book.newest(key) }
    } else if family == .http {
      found = book.newest(key)
    } else {
      found = book.takeFree(key, holder: index)
    }
    if found == nil { found = book.make(family, key, endpoint: entry.endpoint, holder: index) }
    if let found { return (found, book[found].generation) }
    if !isLimitNoted {
      isLimitNoted = true
      ready.append(TraceLine(t: now, event: .recGap(Gap(why: .limit))))
    }
    return (-1, 0)
  }

  mutating func release(_ channel: Int, _ generation: Int) {
    guard channel >= 0, book[channel].generation == generation else { return }
    book.release(channel, at: now)
  }
}
