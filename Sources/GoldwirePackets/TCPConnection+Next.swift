/// The short way for the segment that is just the next one, as nearly all are.
extension TCPConnection {
  /// Takes a segment of an open connection on which all came in order, and which does so too; false for any other.
  ///
  /// It is what ``take(_:in:at:limits:_:)`` comes to where nothing is held, missing, cut or in doubt.
  @inline(__always)
  mutating func takeNext(
    _ segment: Segment, in bytes: Span<UInt8>, at time: Int, limits: StreamLimits
  ) -> Bool {
    guard phase == .open, segment.flags.isPlainAcknowledgment, segment.count == segment.length,
      first.isInOrder, second.isInOrder, resetBy == nil, doubtful == nil
    else { return false }
    let isTaken =
      segment.sender == .first
      ? first.takeNext(segment, in: bytes, at: time, limits: limits, &second)
      : second.takeNext(segment, in: bytes, at: time, limits: limits, &first)
    guard isTaken else { return false }
    lastSender = segment.sender
    lastTime = time
    return true
  }
}

extension TCPStream {
  /// Whether both sides have spoken, and nothing is out of order.
  @inline(__always)
  fileprivate var isInOrder: Bool { state.subtracting([.syn, .opener]) == [.started, .heard] && cut == 0 }

  @inline(__always)
  fileprivate mutating func takeNext(
    _ segment: Segment, in bytes: Span<UInt8>, at time: Int, limits: StreamLimits, _ other: inout TCPStream
  ) -> Bool {
    if segment.length > 0 {
      guard segment.sequence == next else { return false }
      strays = 0
      next = next.advanced(bySequence: segment.length)
      if highest.distance(toSequence: next) > 0 {
        highest = next
        lastNewByte = time
      }
      delivered &+= segment.length
      tail.record(bytes.extracting(segment.range), before: next)
    }
    lastSegment = time
    window = Int(segment.window) << Int(scale)
    other.acknowledge(segment.acknowledgment, at: time, limits: limits)
    return true
  }
}

extension TCPFlags {
  /// Whether it acknowledges, and neither opens nor ends anything.
  @inline(__always)
  fileprivate var isPlainAcknowledgment: Bool { intersection([.syn, .fin, .rst, .ack]) == .ack }
}
