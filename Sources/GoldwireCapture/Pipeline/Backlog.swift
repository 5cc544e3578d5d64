import GoldwirePackets
import GoldwireTrace

/// What is left to do of a packet, or of the recording's end, because too many lines waited already.
///
/// One packet can let go of megabytes that were held beyond a hole, and each two of them may be a line.
struct Backlog {
  /// A segment whose turn has not come, since the connection that it displaced is not drained.
  struct Displacement {
    let ended: Int
    let arrival: Arrival
    let segment: Segment
    let bytes: [UInt8]
  }

  /// The connection that still has pieces, or -1.
  var draining = -1
  /// What comes behind it.
  var displacement: Displacement?
  /// The connections that the recording's end has not reached yet; nil where it has not ended.
  var ending: Range<Int>?

  /// Whether something is left.
  var isLeft: Bool { draining >= 0 || ending != nil }
}

extension CaptureRecorder {
  /// Goes on with what was left, until it is done or too many lines wait again.
  mutating func goOn() {
    if backlog.draining >= 0 {
      let index = backlog.draining
      backlog.draining = -1
      drain(index)
    }
    if backlog.draining < 0, let rest = backlog.displacement {
      backlog.displacement = nil
      displace(rest.ended, by: rest.segment)
      proceed(rest.arrival, rest.segment, in: rest.bytes.span)
    }
    guard backlog.draining < 0, let ending = backlog.ending else { return }
    for index in ending {
      if isFull { return }
      table.finish(index)
      drain(index)
      if backlog.draining >= 0 { return }
      if connections.indices.contains(index) { giveUpRecognition(index) }
      backlog.ending = (index + 1)..<ending.upperBound
    }
    backlog.ending = nil
    complete()
  }

  /// Takes what can be taken of a connection; `draining` says whether something is left.
  mutating func drain(_ index: Int) {
    var buffer: [UInt8] = []
    swap(&buffer, &piece)
    defer { swap(&buffer, &piece) }
    guard connections.indices.contains(index) else { return }
    var lossy: Side?
    while let next = table.pull(index, into: &buffer) {
      switch next {
      case .bytes(let side):
        if side == lossy { noteLate(index, side) }
        lossy = nil
        deliver(buffer.span, of: index, from: side)
      case .gap(let side, let bytes, let cause):
        gap(index, side, bytes: bytes, cause)
        lossy = side
      case .fin(let side): end(index, side, isReset: false)
      case .reset(let side): end(index, side, isReset: true)
      case .refused(let side, let unreachable): refuse(index, by: side, unreachable ? .unreach : .refused)
      }
      if isFull {
        backlog.draining = index
        return
      }
    }
  }

  /// Notes that bytes behind a hole came so long ago that what they hold stands at another instant than its own.
  ///
  /// Where only one direction is in the capture no acknowledgment shows that a hole stays one, so they wait.
  private mutating func noteLate(_ index: Int, _ side: Side) {
    guard now &- table.heldTime(of: index, side) > settings.packetLimits.holeWait else { return }
    let (channel, generation) = place(of: index, direction(side, of: index))
    emit(.recNote(.timesLost, rule: nil), channel, generation)
  }

  /// Writes the last line.
  private mutating func complete() {
    finishAttempts()
    counts.datagrams = decoder.lostDatagrams &+ decoder.waitingDatagrams
    lines.append(TraceLine(t: now, event: .recEnd(why: why, counts: counts)))
    horizon = .max
  }
}
