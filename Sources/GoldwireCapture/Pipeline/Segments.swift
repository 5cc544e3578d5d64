import GoldwireBytes
import GoldwirePackets
import GoldwireTrace

// From segments to the two streams of each connection.
extension CaptureRecorder {
  /// Takes a segment that is just the next one of a connection, all of whose payload lies in `bytes`.
  ///
  /// It is what ``take(_:in:)`` comes to there.
  @inline(__always)
  mutating func proceed(_ index: Int, _ segment: Segment, in bytes: Span<UInt8>) {
    guard connections.indices.contains(index) else { return }
    hasShown = (false, false)
    if connections[index].attempt >= 0 { noteHandshake(segment, of: index) }
    if segment.length > 0 { deliver(bytes.extracting(segment.range), of: index, from: segment.sender) }
    if connections[index].mode == .webSocket || connections[index].stream >= 0 {
      showLife(of: index, sender: segment.sender, bytes: segment.length, isEmpty: segment.length == 0)
    }
  }

  /// Takes a segment whose payload lies in `bytes`.
  @inline(never)
  mutating func take(_ segment: Segment, in bytes: Span<UInt8>) {
    let arrival = table.accept(segment, in: bytes, at: now)
    if let ended = arrival.ended {
      table.finish(ended)
      drain(ended)
      if backlog.draining >= 0 {
        var copy: [UInt8] = []
        copy.append(bytes)
        backlog.displacement = .init(ended: ended, arrival: arrival, segment: segment, bytes: copy)
        return
      }
      displace(ended, by: segment)
    }
    proceed(arrival, segment, in: bytes)
  }

  /// Ends a connection, all of which was taken, for another in its place.
  mutating func displace(_ index: Int, by segment: Segment) {
    vanish(index, isReused: table.key(of: index) == segment.key)
    close(index)
  }

  /// Takes what a segment brought.
  mutating func proceed(_ arrival: Arrival, _ segment: Segment, in bytes: Span<UInt8>) {
    guard let index = arrival.connection else { return }
    if arrival.isNew { open(index, key: segment.key) }
    guard connections.indices.contains(index) else { return }
    hasShown = (false, false)
    if connections[index].attempt >= 0 || segment.flags.contains(.syn) { noteHandshake(segment, of: index) }
    if arrival.isConflict { noteOverlap(index) }
    if arrival.count > 0 {
      let start = segment.start &+ arrival.skip
      deliver(bytes.extracting(start..<(start &+ arrival.count)), of: index, from: segment.sender)
    }
    if arrival.isPending { drain(index) }
    if connections[index].mode == .webSocket || connections[index].stream >= 0 {
      showLife(of: index, sender: segment.sender, bytes: arrival.count, isEmpty: segment.length == 0)
    }
  }

  /// Takes a report that a segment could not be delivered.
  mutating func unreachable(_ quoted: Segment) {
    let arrival = table.unreachable(quoted, at: now)
    guard let index = arrival.connection, connections.indices.contains(index) else { return }
    if arrival.isPending { drain(index) }
  }

  /// Begins a connection at an index, which may have been another's.
  private mutating func open(_ index: Int, key: FlowKey) {
    if connections.indices.contains(index) {
      close(index)
      connections[index] = Connection()
    } else {
      while connections.count <= index { connections.append(Connection()) }
    }
    connections[index].isAlive = true
    counts.connections &+= 1
  }

  /// Lets go of what a connection held in the pools.
  mutating func close(_ index: Int) {
    guard connections.indices.contains(index), connections[index].isAlive else { return }
    connections[index].isAlive = false
    if connections[index].attempt >= 0 { giveUp(index) }
    dropHTTP(index)
    dropSocket(index)
    release(connections[index].channel, connections[index].generation)
  }

  /// Notes what SYNs say: who is the client, and whether the attempt waits for an answer.
  private mutating func noteHandshake(_ segment: Segment, of index: Int) {
    if segment.flags.contains(.syn) {
      connections[index].hasSyn = true
      let isAnswer = segment.flags.contains(.ack)
      if connections[index].client == nil {
        setClient(isAnswer ? segment.sender.other : segment.sender, of: index)
      }
      if !isAnswer, connections[index].client == segment.sender, !segment.flags.contains(.rst) {
        attempt(index)
        return
      }
    }
    guard connections[index].attempt >= 0, segment.sender != connections[index].client,
      !segment.flags.contains(.rst)
    else { return }
    _ = takeAttempt(of: index)
  }

  /// Says which side is the client.
  mutating func setClient(_ side: Side, of index: Int) {
    guard let key = table.key(of: index) else { return }
    connections[index].client = side
    let server = key.endpoint(of: side.other)
    let client = key.endpoint(of: side).address
    var hash = KeyedHash(key: settings.seed)
    hash.add(client.high)
    hash.add(client.low)
    hash.add(server.address.high)
    hash.add(server.address.low)
    hash.add(UInt64(server.port))
    connections[index].endpoint = hash.value
  }

  /// Which way a side's bytes go.
  @inline(__always)
  func direction(_ side: Side, of index: Int) -> Direction {
    side == connections[index].client ?? .first ? .out : .in
  }

  private mutating func noteOverlap(_ index: Int) {
    guard !connections[index].isNotedOverlap else { return }
    connections[index].isNotedOverlap = true
    let (channel, generation) = place(of: index, nil)
    emit(.recNote(.overlap, rule: nil), channel, generation)
  }

  // MARK: Life

  /// Writes signs of life that no event of this packet shows.
  private mutating func showLife(of index: Int, sender: Side, bytes: Int, isEmpty: Bool) {
    guard connections[index].isAlive, let (channel, generation) = lifePlace(of: index) else { return }
    if sender == connections[index].client {
      if hasShown.out {
        connections[index].lifeOut.mark(at: now, in: &lines)
      } else if bytes > 0 {
        connections[index].lifeOut.show(lifeLine(.out, .bytes, channel, generation), in: &lines)
      }
    } else {
      showInbound(of: index, sender.other, bytes: bytes, isEmpty: isEmpty, channel, generation)
    }
  }

  /// Writes that something came in, and that it acknowledges all that the client has sent, at most once a second.
  private mutating func showInbound(
    of index: Int, _ client: Side, bytes: Int, isEmpty: Bool, _ channel: Int, _ generation: Int
  ) {
    let isAcknowledging =
      table.lastProgress(of: index, client) == now && table.isAllAcknowledged(of: index, client)
    let isDue = isAcknowledging && now &- connections[index].acknowledged >= Life.second
    if isDue { connections[index].acknowledged = now }
    if hasShown.in {
      connections[index].lifeIn.mark(at: now, in: &lines)
    } else if bytes > 0 {
      connections[index].lifeIn.show(lifeLine(.in, .bytes, channel, generation), in: &lines)
    } else if isEmpty, isAcknowledging {
      connections[index].lifeIn.show(lifeLine(.in, .ack, channel, generation), isKept: isDue, in: &lines)
      return
    }
    guard isDue, connections[index].mode == .webSocket else { return }
    _ = lines.append(lifeLine(.in, .ack, channel, generation))
  }

  @inline(__always)
  private func lifeLine(
    _ direction: Direction, _ kind: LifeKind, _ channel: Int, _ generation: Int
  ) -> TraceLine {
    TraceLine(
      t: now, channel: book[channel].channel, generation: generation,
      event: .recLife(dir: direction, kind: kind))
  }

  /// The channel and generation whose life a connection shows: a WebSocket's, or a stream's that is open.
  @inline(__always)
  private func lifePlace(of index: Int) -> (Int, Int)? {
    if connections[index].mode == .webSocket {
      guard connections[index].channel >= 0, !sockets[connections[index].socket].hasEnded else { return nil }
      return (connections[index].channel, connections[index].generation)
    }
    let stream = connections[index].stream
    guard stream >= 0, streams[stream].channel >= 0 else { return nil }
    return (streams[stream].channel, streams[stream].generation)
  }
}
