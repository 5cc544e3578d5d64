import GoldwirePackets
import GoldwireTrace

// Which channel and generation a line belongs to.
extension CaptureRecorder {
  /// Adds a line of a channel at this instant; nothing for a channel beyond the limit.
  @inline(never)
  mutating func emit(_ event: TraceEvent, _ channel: Int, _ generation: Int) {
    emitFrequent(event, channel, generation)
  }

  /// The same for what comes so often that no call is to be spent on it.
  @inline(__always)
  mutating func emitFrequent(_ event: TraceEvent, _ channel: Int, _ generation: Int) {
    guard channel >= 0 else { return }
    lines.append(
      TraceLine(t: now, channel: book.name(of: channel), generation: generation, event: event))
  }

  /// Adds a gap's line, and counts it; what belongs to no channel is missing in none.
  mutating func emit(_ gap: Gap, _ channel: Int, _ generation: Int) {
    guard channel >= 0 else { return }
    counts.gaps &+= 1
    emit(.recGap(gap), channel, generation)
  }

  /// Adds a line that shows that its connection lives.
  mutating func show(_ direction: Direction, _ event: TraceEvent, _ channel: Int, _ generation: Int) {
    if direction == .out { hasShown.out = true } else { hasShown.in = true }
    emit(event, channel, generation)
  }

  /// The same for what comes so often that no call is to be spent on it.
  @inline(__always)
  mutating func showFrequent(_ direction: Direction, _ event: TraceEvent, _ channel: Int, _ generation: Int) {
    if direction == .out { hasShown.out = true } else { hasShown.in = true }
    emitFrequent(event, channel, generation)
  }

  /// Makes a connection the next generation of the channel that it continues, or of a new one.
  ///
  /// Of refused ones only so many have a channel; the others are counted.
  mutating func claim(
    _ family: Channel.Family, path: UInt64, by index: Int, isRefused: Bool = false
  ) -> (channel: Int, generation: Int) {
    let endpoint = connections[index].endpoint
    let key = ChannelBook.key(family, endpoint: endpoint, path: path, seed: settings.seed)
    var found: Int?
    if !settings.splits {
      found = book.takeFree(key, holder: index)
      if found == nil, let silent = silentChannel(key, besides: index) {
        book.take(silent, holder: index)
        found = silent
      }
    }
    if found == nil, isRefused {
      guard refusedChannels < settings.limits.refusedChannels else { return (-1, 0) }
      refusedChannels &+= 1
    }
    if found == nil { found = book.make(family, key, endpoint: endpoint, holder: index) }
    guard let channel = found else {
      if !isLimitNoted {
        isLimitNoted = true
        counts.gaps &+= 1
        lines.append(TraceLine(t: now, event: .recGap(Gap(why: .limit))))
      }
      return (-1, 0)
    }
    return (channel, book[channel].generation)
  }

  /// The oldest channel of the key whose connection does not answer any more.
  private func silentChannel(_ key: UInt64, besides index: Int) -> Int? {
    var silent: Int?
    var at = book.newest(key)
    var steps = 0
    while let channel = at, steps < settings.limits.silentChannels {
      let holder = book[channel].holder
      if !book[channel].isFree, holder >= 0, holder != index, isSilent(holder) { silent = channel }
      at = book.older(than: channel)
      steps &+= 1
    }
    return silent
  }

  /// Whether the last byte of the client had no inbound segment for a second.
  private func isSilent(_ index: Int) -> Bool {
    guard let client = connections[index].client, connections[index].isAlive,
      let sent = table.facts(of: index, client).lastNewByte, now &- sent >= 1_000_000
    else { return false }
    return table.facts(of: index, client.other).lastSegment ?? Int.min < sent
  }

  /// Lets a later connection continue a channel, if this generation is still its current one.
  mutating func release(_ channel: Int, _ generation: Int) {
    guard channel >= 0, book[channel].generation == generation else { return }
    book.release(channel, at: now)
  }

  /// The channel and generation that a gap or a note of a connection belongs to.
  @inline(__always)
  func place(of index: Int, _ direction: Direction?) -> (Int, Int) {
    let (stream, http) = (connections[index].stream, connections[index].http)
    if stream >= 0, direction != .out { return (streams[stream].channel, streams[stream].generation) }
    if http >= 0, connections[index].channel < 0, let last = https[http].last {
      return (last.channel, last.generation)
    }
    return (connections[index].channel, connections[index].generation)
  }

  /// The same, of an HTTP connection also where no message could be read yet.
  mutating func claimedPlace(of index: Int, _ direction: Direction?) -> (Int, Int) {
    let (channel, generation) = place(of: index, direction)
    guard channel < 0, connections[index].mode == .http else { return (channel, generation) }
    claimHTTP(index)
    return (connections[index].channel, connections[index].generation)
  }

  /// Writes that bytes are missing, and tells the decoder.
  mutating func gap(_ index: Int, _ side: Side, bytes: Int, _ cause: StreamPiece.GapCause) {
    let direction = direction(side, of: index)
    if cause == .snaplen { cutPieces &+= 1 }
    let (channel, generation) = claimedPlace(of: index, direction)
    let why: GapReason =
      switch cause {
      case .lost: .lost
      case .snaplen: .snaplen
      case .limit: .limit
      }
    emit(Gap(dir: direction, bytes: bytes > 0 ? bytes : nil, why: why), channel, generation)
    let missing = bytes > 0 ? bytes : nil
    switch connections[index].mode {
    case .http: lostHTTP(index, direction, missing)
    case .webSocket: lostSocket(index, direction, missing)
    case .unknown:
      if cause == .snaplen { connections[index].isCut = true }
      if cause == .snaplen || !connections[index][prefix: side].isEmpty {
        connections[index].unrecognised &+= 1
      }
      connections[index][prefix: side] = []
      if side == .first {
        connections[index].hasLost.first = true
      } else {
        connections[index].hasLost.second = true
      }
    case .opaque: connections[index][prefix: side] = []
    }
  }

  /// Writes that a limit of a decoder was crossed.
  mutating func limit(_ index: Int, _ direction: Direction) {
    let (channel, generation) = claimedPlace(of: index, direction)
    emit(Gap(dir: direction, why: .limit), channel, generation)
  }
}
