internal import GoldwireTrace
internal import Synchronization

/// The way of one channel's events into the ring, with the numbers that the tap gives in it.
final class TapChannel: Sendable {
  private let door: TapDoor
  /// The door's ring, which stands here too, since the way over the door would count references.
  private let ring: TapRing
  /// The channel's part of each record's head; 0 for what concerns all channels.
  private let bits: UInt64
  /// Events that found no room, and of which no gap tells yet.
  private let lost = Atomic<Int>(0)
  /// The generation, the request or the session that was numbered last.
  private let counter = Atomic<Int>(0)
  /// The pings that were numbered last, by direction: the generation and the ordinal in it.
  private let pingsOut = Atomic<UInt64>(0)
  private let pingsIn = Atomic<UInt64>(0)

  /// Makes the way of a channel.
  init(_ family: Channel.Family, _ number: Int, door: TapDoor) {
    self.door = door
    ring = door.ring
    bits = TapRecord.Head.channel(family, number)
  }

  /// Makes the way of what concerns all channels.
  init(ofAll door: TapDoor) {
    self.door = door
    ring = door.ring
    bits = 0
  }

  /// Records an event, or counts it as lost; never blocks.
  @inline(__always)
  func record(
    _ kind: RecordKind, _ generation: Int, a: UInt64 = 0, b: UInt64 = 0, c: UInt64 = 0, d: UInt64 = 0,
    e: UInt64 = 0, at instant: TapInstant
  ) {
    if lost.load(ordering: .relaxed) != 0 { tellLoss(at: instant) }
    let record = TapRecord(
      instant: Bits.signed(instant.microseconds),
      head: bits | UInt64(kind.rawValue) | TapRecord.Head.generation(generation), a: a, b: b, c: c, d: d, e: e
    )
    let outcome = ring.put(record)
    if outcome != .recorded { act(on: outcome) }
  }

  /// Whether there are events of which no gap tells yet.
  var hasLoss: Bool { lost.load(ordering: .acquiring) != 0 }

  /// The channel's next number, from 1.
  func next() -> Int { counter.add(1, ordering: .relaxed).newValue }

  /// The next ordinal of a ping of a generation, from 1; nil for one of a generation that another followed.
  func nextPing(_ direction: Direction, of generation: Int) -> Int? {
    let own = UInt64(UInt32(clamping: generation)) << 32
    return direction == .out ? Self.next(pingsOut, own) : Self.next(pingsIn, own)
  }

  private static func next(_ pings: borrowing Atomic<UInt64>, _ own: UInt64) -> Int? {
    var last = pings.load(ordering: .relaxed)
    while true {
      guard last >> 32 <= own >> 32 else { return nil }
      let next = (last >> 32 == own >> 32 ? last : own) &+ 1
      let (isDone, current) = pings.weakCompareExchange(expected: last, desired: next, ordering: .relaxed)
      if isDone { return Int(next & 0xFFFF_FFFF) }
      last = current
    }
  }

  /// The events that were lost and that no record tells of, as the reader takes them; with the head of a gap.
  func takeLoss() -> (events: Int, head: UInt64)? {
    let events = lost.exchange(0, ordering: .acquiringAndReleasing)
    return events == 0 ? nil : (events, bits | UInt64(RecordKind.recGap.rawValue))
  }

  @inline(never)
  private func act(on outcome: TapRing.Outcome) {
    if outcome == .full {
      lost.add(1, ordering: .releasing)
      door.hasLoss.store(true, ordering: .releasing)
    }
    door.wake()
  }

  /// Tells of the events that were lost right before the one that is about to be recorded.
  @inline(never)
  private func tellLoss(at instant: TapInstant) {
    guard let (events, head) = takeLoss() else { return }
    let gap = TapRecord(
      instant: Bits.signed(instant.microseconds), head: head, a: Bits.optional(events), b: GapReason.ring.code
    )
    if ring.put(gap) == .full {
      lost.add(events, ordering: .releasing)
      door.hasLoss.store(true, ordering: .releasing)
    }
  }
}

/// What the channels of one tap share: the ring, and the call that wakes its reader.
final class TapDoor: Sendable {
  let ring = TapRing()
  /// Whether any channel has lost something that no record tells of.
  let hasLoss = Atomic<Bool>(false)
  let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }
}
