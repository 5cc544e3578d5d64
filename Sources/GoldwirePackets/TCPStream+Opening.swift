/// How a stream begins with a SYN and ends with an RST.
extension TCPStream {
  /// What an RST is; a doubtful one lies in the window, but beyond what is known to have been sent.
  enum Reset { case invalid, abort, refusal, doubtful }

  /// Whether something is known beyond the next byte.
  @inline(__always)
  var isWaiting: Bool { !state.isDisjoint(with: [.holding, .fin]) && !state.contains(.ended) }

  /// Takes this side's SYN, whose first byte has the number given.
  mutating func open(at number: UInt32, _ segment: Segment) {
    if !state.contains(.started) {
      start(at: number)
    } else if delivered == 0, first != number {
      // Bytes after the SYN were seen before it, or the server has made up its mind again.
      first = number
      next = number
    }
    restartHole()
    scale = segment.windowScale
    state.insert(.syn)
    if !segment.flags.contains(.ack) { state.insert(.opener) }
  }

  /// What this side's RST is: it counts only where its numbers show that it belongs here.
  func reset(_ segment: Segment, other: TCPStream) -> Reset {
    guard !state.contains(.ended) || !other.state.contains(.ended) else { return .invalid }
    if other.state.contains(.opener), !state.contains(.syn), lastNewByte == Int.min {
      let answered = other.first.distance(toSequence: segment.acknowledgment)
      return segment.flags.contains(.ack) && (0...65_535).contains(answered) ? .refusal : .invalid
    }
    let window = max(other.window, 65_535)
    var low = next
    if state.contains(.heard), acknowledged.distance(toSequence: next) > 0 || !state.contains(.started) {
      low = acknowledged
    } else if !state.contains(.started) {
      return .abort
    }
    // A FIN takes a number of its own.
    let isInWindow =
      low.distance(toSequence: segment.sequence) >= 0
      && next.distance(toSequence: segment.sequence) <= window &+ 1
    guard isInWindow else { return .invalid }
    var last = next
    if last.distance(toSequence: highest) > 0 { last = highest }
    if state.contains(.heard), last.distance(toSequence: acknowledged) > 0 { last = acknowledged }
    if !state.isDisjoint(with: [.fin, .ended]) { last &+= 1 }
    return last.distance(toSequence: segment.sequence) > 0 ? .doubtful : .abort
  }

  /// Notes at the end that bytes up to `number` were sent, if that is no further than `limit`.
  mutating func expect(_ number: UInt32, within limit: Int = .max) {
    guard state.contains(.started), !state.contains(.ended) else { return }
    guard (1...limit).contains(next.distance(toSequence: number)), unseen < next.distance(toSequence: number)
    else { return }
    acknowledged = number
    state.insert(.heard)
  }

  /// Ends the stream after an RST, of its own side or the other.
  mutating func abort(_ isOwn: Bool, isRefused: Bool) {
    held.removeAll()
    cut = 0
    state.subtract([.holding, .abandoning, .finishing, .jumped])
    guard !state.contains(.ended) else { return }
    state.insert(.ended)
    end = isOwn ? (isRefused ? .refused : .reset) : .aborted
  }
}
