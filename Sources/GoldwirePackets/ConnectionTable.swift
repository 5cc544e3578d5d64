internal import GoldwireBytes

/// All TCP connections of a capture: which connection a segment belongs to, and what its streams say next.
///
/// For each segment call `accept`, deliver what the arrival says from the packet's own bytes, then `pull`
/// while more is pending. At the end of the capture call `finish` for each index and pull again.
///
///     let arrival = table.accept(segment, in: frame, at: time)
///     if let old = arrival.ended { table.finish(old); drain(old) }
///     if arrival.count > 0 { deliver(frame, from: segment.start + arrival.skip, arrival.count) }
///     if arrival.isPending { while let piece = table.pull(index, into: &buffer) { … } }
public struct ConnectionTable: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits
  /// How many connections were followed so far.
  public private(set) var opened: Int = 0
  /// How many connections were given up because the table was full.
  public private(set) var evicted: Int = 0

  private let streamLimits: StreamLimits
  private var flows: FlowTable
  private var slots: [TCPConnection] = []
  private var free: [Int] = []
  private var leaving: Int?
  private var closed = ClosedConnections()
  /// The bytes held beyond holes in all connections together, and 64 for each segment.
  package private(set) var heldBytes = 0
  private var hand = 0

  /// Makes an empty table; `seed` keys the hash and changes nothing that can be seen from outside.
  public init(seed: UInt64, limits: PacketLimits = PacketLimits()) {
    self.limits = limits
    streamLimits = StreamLimits(limits)
    flows = FlowTable(seed: seed)
  }

  /// The indices that connections had so far; at some of them none may be any more.
  public var indices: Range<Int> { slots.indices }

  /// Takes a segment that is just the next one of a connection in good order, and gives that; nil for any other.
  ///
  /// What it brings is all of its payload, and nothing is pending. It is what ``accept(_:in:at:)`` comes to there.
  @inline(__always)
  public mutating func acceptNext(_ segment: Segment, in bytes: Span<UInt8>, at time: Int) -> Int? {
    guard leaving == nil, let found = flows.find(segment.key, in: slots),
      slots[found].takeNext(segment, in: bytes, at: time, limits: streamLimits)
    else { return nil }
    return found
  }

  /// Takes a segment whose payload lies in `bytes`; `time`, in microseconds, must never go down.
  public mutating func accept(_ segment: Segment, in bytes: Span<UInt8>, at time: Int) -> Arrival {
    var arrival = Arrival(sender: segment.sender)
    release()
    var index: Int
    if let found = flows.find(segment.key, in: slots) {
      index = found
      if slots[found].takeNext(segment, in: bytes, at: time, limits: streamLimits) {
        arrival.connection = found
        arrival.count = segment.length
        return arrival
      }
      if segment.flags.contains(.syn) {
        switch slots[found].opening(segment) {
        case .fits: break
        case .stray:
          arrival.connection = found
          return arrival
        case .other: index = replace(found, by: segment, at: time, &arrival)
        }
      } else if slots[found].phase == .closed, slots[found].isReuse(segment) {
        index = replace(found, by: segment, at: time, &arrival)
      }
    } else {
      // An RST opens nothing.
      if segment.flags.contains(.rst) { return arrival }
      index = open(segment.key, at: time, &arrival)
    }
    arrival.connection = index
    let before = slots[index].heldBytes
    slots[index].take(segment, in: bytes, at: time, limits: streamLimits, &arrival)
    let after = slots[index].heldBytes
    if after != before { account(after &- before, index, segment.sender, &arrival) }
    return arrival
  }

  /// Takes a report that the quoted segment could not be delivered; it counts only for a SYN without answer.
  public mutating func unreachable(_ quoted: Segment, at time: Int) -> Arrival {
    var arrival = Arrival(sender: quoted.sender.other)
    release()
    guard let index = flows.find(quoted.key, in: slots) else { return arrival }
    arrival.connection = index
    let own = quoted.sender == .first ? slots[index].first : slots[index].second
    let other = quoted.sender == .first ? slots[index].second : slots[index].first
    guard own.state.contains(.opener), own.first == quoted.sequence &+ 1, other.lastSegment == Int.min,
      slots[index].resetBy == nil, slots[index].phase == .open
    else { return arrival }
    slots[index].isUnreachable = true
    slots[index].reset(by: quoted.sender.other, isRefused: true)
    arrival.isPending = true
    return arrival
  }

  /// The next piece of a connection's streams, or nil; held bytes are swapped into `buffer`.
  public mutating func pull(_ connection: Int, into buffer: inout [UInt8]) -> StreamPiece? {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return nil }
    let before = slots[connection].heldBytes
    let piece = slots[connection].pull(into: &buffer)
    heldBytes &+= slots[connection].heldBytes &- before
    if slots[connection].phase == .open, slots[connection].hasEnded {
      slots[connection].phase = .closed
      closed.append(connection, serial: slots[connection].serial, at: slots[connection].lastTime)
    }
    return piece
  }

  /// When the held bytes of a side came that were pulled last, in microseconds.
  public func heldTime(of connection: Int, _ side: Side) -> Int {
    guard slots.indices.contains(connection) else { return 0 }
    return side == .first ? slots[connection].first.poppedTime : slots[connection].second.poppedTime
  }

  /// Ends a connection for the capture's part: all that is held comes out, holes as gaps.
  public mutating func finish(_ connection: Int) {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return }
    slots[connection].finish()
  }

  /// The endpoints of a connection, or nil if there is none at the index.
  public func key(of connection: Int) -> FlowKey? {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return nil }
    return slots[connection].key
  }

  /// When the other side last acknowledged more of a direction, in microseconds, if that was seen.
  public func lastProgress(of connection: Int, _ side: Side) -> Int? {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return nil }
    let time = side == .first ? slots[connection].first.lastProgress : slots[connection].second.lastProgress
    return time == Int.min ? nil : time
  }

  /// Whether the other side has acknowledged all that a side was seen to send.
  public func isAllAcknowledged(of connection: Int, _ side: Side) -> Bool {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return false }
    return side == .first
      ? slots[connection].first.isAllAcknowledged : slots[connection].second.isAllAcknowledged
  }

  /// What is known of one direction.
  public func facts(of connection: Int, _ side: Side) -> SideFacts {
    guard slots.indices.contains(connection), slots[connection].phase != .free else { return SideFacts() }
    return side == .first ? slots[connection].first.facts : slots[connection].second.facts
  }
}

extension ConnectionTable {
  /// Counts held bytes, and gives up a hole where they are too many in all.
  private mutating func account(_ change: Int, _ index: Int, _ sender: Side, _ arrival: inout Arrival) {
    heldBytes &+= change
    guard heldBytes > limits.heldBytesInAll else { return }
    if sender == .first { slots[index].first.giveUp() } else { slots[index].second.giveUp() }
    arrival.isPending = slots[index].isReady
  }

  /// Takes an index for a connection that begins.
  private mutating func open(_ key: FlowKey, at time: Int, _ arrival: inout Arrival) -> Int {
    while let old = closed.first,
      closed.count > limits.closedConnections || time &- old.time > limits.closedWait
    {
      closed.removeFirst()
      if slots[old.index].serial == old.serial, slots[old.index].phase == .closed { discard(old.index) }
    }
    if flows.count >= max(1, limits.connections) {
      let victim = idlest()
      evicted &+= 1
      displace(victim, &arrival)
    }
    let index: Int
    let serial = UInt32(truncatingIfNeeded: opened)
    if let reused = free.popLast() {
      index = reused
      slots[index] = TCPConnection(key: key, serial: serial, at: time)
    } else {
      index = slots.count
      slots.append(TCPConnection(key: key, serial: serial, at: time))
    }
    flows.insert(key, at: index)
    opened &+= 1
    arrival.isNew = true
    return index
  }

  /// Puts a connection that begins in the place of an older one with the same ports.
  private mutating func replace(
    _ old: Int, by segment: Segment, at time: Int, _ arrival: inout Arrival
  ) -> Int {
    displace(old, &arrival)
    return open(segment.key, at: time, &arrival)
  }

  /// Takes a connection out of the table; it can be drained until the next segment comes.
  private mutating func displace(_ index: Int, _ arrival: inout Arrival) {
    flows.remove(slots[index].key, at: index)
    slots[index].phase = .leaving
    leaving = index
    arrival.ended = index
  }

  /// Frees the connection that was displaced by the segment before.
  private mutating func release() {
    guard let index = leaving else { return }
    leaving = nil
    clear(index)
  }

  private mutating func discard(_ index: Int) {
    flows.remove(slots[index].key, at: index)
    clear(index)
  }

  private mutating func clear(_ index: Int) {
    heldBytes &-= slots[index].heldBytes
    slots[index].first.held.removeAll()
    slots[index].second.held.removeAll()
    slots[index].phase = .free
    free.append(index)
  }

  /// The connection to give up among the next few of a round: one that has ended, else one on which nothing was
  /// said, so that a flood of attempts gives way to itself, else the one that was silent longest.
  private mutating func idlest() -> Int {
    var best = -1
    var looked = 0
    for _ in slots.indices {
      if looked == 16 { break }
      hand = hand &+ 1 < slots.count ? hand &+ 1 : 0
      let phase = slots[hand].phase
      guard phase == .open || phase == .closed else { continue }
      looked &+= 1
      if best < 0 || rank(hand) < rank(best) { best = hand }
    }
    return max(0, best)
  }

  private func rank(_ index: Int) -> (Int, Int) {
    if slots[index].phase == .closed { return (0, slots[index].lastTime) }
    let hasSaid = slots[index].first.delivered > 0 || slots[index].second.delivered > 0
    return (hasSaid || slots[index].heldBytes > 0 ? 2 : 1, slots[index].lastTime)
  }
}
