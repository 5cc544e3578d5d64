internal import GoldwireBytes

/// Placing payload in the stream, and taking out what waits.
extension TCPStream {
  /// What a payload is to the stream.
  struct Placement {
    /// Where the bytes that come next begin in the payload, and how many they are.
    var skip = 0
    var count = 0
    var isConflict = false
  }

  /// Places the `length` bytes from `number`, of which `data` was captured.
  ///
  /// `mustWait` keeps even the next bytes back, because something else has to come out before them. `isOpeningSeen`
  /// says that the other side's SYN is in the capture.
  mutating func place(
    _ data: Span<UInt8>, length: Int, from number: UInt32, mustWait: Bool, isOpeningSeen: Bool, at time: Int,
    limits: StreamLimits
  ) -> Placement {
    var placement = Placement()
    guard length > 0, !state.contains(.ended) else { return placement }
    if !state.contains(.started) {
      start(at: beginning(number, length, isOpeningSeen: isOpeningSeen))
      if abs(next.distance(toSequence: acknowledged)) > limits.sequenceWindow { state.remove(.heard) }
    }
    guard isNear(number, limits: limits) else { return placement }
    let ahead = next.distance(toSequence: number)
    var end = ahead &+ length
    if state.contains(.fin) { end = min(end, next.distance(toSequence: fin)) }
    // A keep-alive probe may carry any byte.
    if ahead < 0, length > 1 || ahead < -1 {
      placement.isConflict = tail.differs(from: data, at: number, before: next)
    }
    guard end > 0 else { return placement }
    let last = next.advanced(bySequence: end)
    if highest.distance(toSequence: last) > 0 {
      highest = last
      lastNewByte = time
    }
    if ahead > 0 || mustWait || cut > 0 || state.contains(.jumped) {
      if hold(data, from: number, from: ahead, to: end, at: time, limits: limits) {
        placement.isConflict = true
      }
      return placement
    }
    var direct = end
    if state.contains(.holding) {
      let other = next.distance(toSequence: held.start)
      if other < end {
        if hold(data, from: number, from: ahead, to: end, after: other, at: time, limits: limits) {
          placement.isConflict = true
        }
        direct = max(0, other)
      }
    }
    placement.skip = min(-ahead, data.count)
    placement.count = max(0, min(direct, ahead &+ data.count))
    cut = direct &- placement.count
    next = next.advanced(bySequence: placement.count)
    delivered &+= placement.count
    if placement.count > 0 {
      tail.record(
        data.extracting(placement.skip..<(placement.skip &+ placement.count)), before: next)
    }
    return placement
  }

  /// Where a stream begins whose SYN was not seen.
  private func beginning(_ number: UInt32, _ length: Int, isOpeningSeen: Bool) -> UInt32 {
    guard state.contains(.heard) else { return number }
    // A single byte that was acknowledged before is a keep-alive probe, not data.
    if length == 1, number &+ 1 == acknowledged { return acknowledged }
    // Where the capture has the opening, it should have what was first expected: that is late, or lost.
    return isOpeningSeen ? expected(before: number) : number
  }

  /// Whether a number belongs to the stream; after several that do not, the stream is taken up there.
  private mutating func isNear(_ number: UInt32, limits: StreamLimits) -> Bool {
    if abs(next.distance(toSequence: number)) <= limits.sequenceWindow {
      strays = 0
      return true
    }
    strays = strays == UInt8.max ? strays : strays &+ 1
    guard Int(strays) >= limits.straySegments else { return false }
    strays = 0
    held.removeAll()
    tail.count = 0
    state.subtract([.holding, .fin, .abandoning, .heard])
    state.insert(.jumped)
    cut = 0
    next = number
    highest = number
    return true
  }

  /// Holds the part of a payload between two distances from `next`, or what of it lies after `after`.
  private mutating func hold(
    _ data: Span<UInt8>, from number: UInt32, from ahead: Int, to end: Int, after: Int = 0,
    at time: Int, limits: StreamLimits
  ) -> Bool {
    let begin = max(0, after, ahead)
    guard begin < end else { return false }
    let skip = min(begin &- ahead, data.count)
    let captured = min(end &- ahead, data.count)
    beginHole()
    let isConflict = held.add(
      data.extracting(skip..<max(skip, captured)), from: next.advanced(bySequence: begin),
      length: end &- begin, at: time)
    state.insert(.holding)
    if held.byteCount > limits.heldBytes || held.count > limits.heldSegments {
      abandon(upTo: held.start, isLimit: true)
    } else if state.contains(.heard), begin > 0, begin == next.distance(toSequence: held.start) {
      // The hole was acknowledged, these bytes were not: they are new, and the hole was missed.
      let known = next.distance(toSequence: acknowledged)
      if known >= begin, known < end { abandon(upTo: acknowledged) }
    }
    return isConflict
  }

  /// What comes out next, or nil.
  mutating func pull(_ side: Side, into buffer: inout [UInt8]) -> StreamPiece? {
    guard isReady else { return nil }
    if state.contains(.jumped) {
      state.remove(.jumped)
      return .gap(side, bytes: 0, .lost)
    }
    if cut > 0 { return gap(side, cut, .snaplen) }
    if !state.contains(.started) {
      guard state.contains(.fin) else { return trailingGap(side) }
      start(at: expected(before: fin))
    }
    if let wait = waiting {
      let distance = next.distance(toSequence: wait)
      if distance > 0 {
        guard isGivenUp(upTo: wait) else { return nil }
        return gap(side, distance, state.contains(.limited) ? .limit : .lost)
      }
      guard state.contains(.holding) else {
        state.insert(.ended)
        end = .fin
        return .fin(side)
      }
      popHeld(into: &buffer)
      return buffer.isEmpty ? pull(side, into: &buffer) : .bytes(side)
    }
    return trailingGap(side)
  }

  private mutating func popHeld(into buffer: inout [UInt8]) {
    let (start, length, time) = held.pop(into: &buffer)
    poppedTime = time
    if held.count == 0 { state.remove(.holding) } else { restartHole() }
    let overlap = start.distance(toSequence: next)
    if overlap > 0 { buffer.removeFirst(min(overlap, buffer.count)) }
    cut = max(0, length &- max(0, overlap) &- buffer.count)
    next = next.advanced(bySequence: buffer.count)
    delivered &+= buffer.count
    tail.record(buffer.span, before: next)
    dropAbandonment()
  }

  mutating func restartHole() {
    holePackets = 0
    holeSince = lastSegment
  }

  private mutating func dropAbandonment() {
    if state.contains(.abandoning), next.distance(toSequence: abandoned) <= 0 {
      state.subtract([.abandoning, .limited])
    }
  }

  private mutating func gap(_ side: Side, _ count: Int, _ cause: StreamPiece.GapCause) -> StreamPiece {
    next = next.advanced(bySequence: count)
    cut = 0
    tail.count = 0
    dropAbandonment()
    return .gap(side, bytes: count, cause)
  }

  /// At the very end: what was acknowledged and never seen.
  private mutating func trailingGap(_ side: Side) -> StreamPiece? {
    let missing = unseen
    state.remove(.finishing)
    // A single number may be that of a FIN that was not seen.
    guard missing > 1 else { return nil }
    next = acknowledged
    tail.count = 0
    return .gap(side, bytes: missing, .lost)
  }
}
