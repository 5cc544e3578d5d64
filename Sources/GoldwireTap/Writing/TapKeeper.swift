internal import GoldwireTrace
internal import Synchronization

/// The reader of a tap's ring: takes the records off the hot path, puts them in order, and hands their lines on.
///
/// One thread at a time, under a lock that no recording ever takes.
final class TapKeeper: Sendable {
  let door: TapDoor
  let clock: TapClock
  /// How far the wall clock was set since t = 0, as far as the trace tells.
  let steps = Atomic<Int>(0)
  private let state: Guarded<State>
  private let channels = Guarded(Channels())

  /// The channels whose losses must be told.
  private struct Channels {
    var list: [TapChannel] = []
    /// How many there are when those that nobody records in any more are looked for.
    var most = 1_024
  }

  /// How long a record is held back, since another thread may still record something earlier; in microseconds.
  static let hold = 100_000

  struct State: ~Copyable {
    var order = RecordOrder()
    var watch: PauseWatch
    var sink: TapSink
    var isFinished = false
    var notes = TapNotes()
    /// The latest instant that was recorded.
    var latest = Int.min
  }

  init(_ parts: TapParts, target: TapTarget) throws(FileError) {
    door = parts.door
    clock = parts.clock
    state = Guarded(State(watch: parts.watch, sink: try TapSink(target, parts.header)))
  }

  init(_ parts: TapParts, flight limits: FlightLimits, _ dumps: FlightDumps?) {
    door = parts.door
    clock = parts.clock
    state = Guarded(State(watch: parts.watch, sink: TapSink(limits, dumps, parts.header)))
  }

  /// Why nothing more can be written, if so.
  var failure: FileError? { state.withLock { $0.sink.failure } }

  /// Takes a channel whose losses must be told.
  func add(_ channel: TapChannel) {
    channels.withLock { channels in
      channels.list.append(channel)
      guard channels.list.count >= channels.most else { return }
      var list: [TapChannel] = []
      swap(&list, &channels.list)
      for index in list.indices where !isKnownUniquelyReferenced(&list[index]) || list[index].hasLoss {
        channels.list.append(list[index])
      }
      channels.most = max(1_024, channels.list.count * 2)
    }
  }

  /// Hands on what was recorded up to a little before `now`; all of it, where that is asked.
  ///
  /// Without an instant, the last one that was recorded counts.
  func drain(at now: TapInstant?, all: Bool = false) {
    state.withLock { state in
      take(&state)
      release(&state, at: now ?? TapInstant(microseconds: state.latest), all: all)
    }
  }

  /// The recorder's own beat came: looks for pauses, and hands on what was recorded.
  func beat(_ clocks: TapClocks) {
    let now = TapInstant(microseconds: clocks.continuous)
    state.withLock { state in
      take(&state)
      let (pause, step) = state.watch.beat(clocks)
      if let pause {
        note(
          .recPause, a: UInt64(clamping: pause.length), b: Bits.optional(pause.slept), at: pause.end, &state)
      }
      if let step {
        steps.add(step, ordering: .relaxed)
        note(.recWall, a: Bits.signed(step), at: now.microseconds, &state)
      }
      release(&state, at: now, all: false)
    }
  }

  /// Ends the recording: hands on everything, and the last line.
  func finish(at now: TapInstant?, why: EndReason) {
    state.withLock { state in
      if state.isFinished { return }
      take(&state)
      let t = release(&state, at: now ?? TapInstant(microseconds: state.latest), all: true)
      state.isFinished = true
      state.sink.finish(at: t, why: why)
    }
  }

  /// Gives the bytes of what a flight recorder keeps, up to `now`; nil where it is none.
  func dump(at now: TapInstant?) -> [UInt8]? {
    state.withLock { state in
      take(&state)
      let t = release(&state, at: now ?? TapInstant(microseconds: state.latest), all: true)
      return state.sink.dump(at: t)
    }
  }

  // MARK: Steps

  private func take(_ state: inout State) {
    door.ring.drain { record in
      let instant = record.microseconds
      state.watch.sign(at: instant)
      state.latest = max(state.latest, instant)
      state.order.take(record, at: clock.t(of: instant))
      if state.order.isFull { release(&state, through: .min) }
    }
    guard door.hasLoss.exchange(false, ordering: .acquiringAndReleasing) else { return }
    for channel in channels.withLock({ $0.list }) {
      guard let (events, head) = channel.takeLoss() else { continue }
      let t = state.order.last(of: head & TapRecord.Head.ofChannel)
      let gap = TapRecord(instant: 0, head: head, a: Bits.optional(events), b: GapReason.ring.code)
      state.order.take(gap, at: t)
    }
  }

  private func note(_ kind: RecordKind, a: UInt64, b: UInt64 = 0, at instant: Int, _ state: inout State) {
    let record = TapRecord(instant: Bits.signed(instant), head: UInt64(kind.rawValue), a: a, b: b)
    state.order.take(noticed: record, at: clock.t(of: instant))
  }

  /// Hands on what was recorded, and gives the instant of the trace up to which that is.
  @discardableResult
  private func release(_ state: inout State, at now: TapInstant, all: Bool) -> Int {
    let t = clock.t(of: now.microseconds)
    release(&state, through: all ? .max : max(t, Self.hold) - Self.hold)
    let end = max(t, state.order.written)
    state.sink.sync(at: end)
    return end
  }

  private func release(_ state: inout State, through t: Int) {
    if state.isFinished { return state.order.release(through: t) { _ in } }
    var order = RecordOrder()
    swap(&order, &state.order)
    order.release(through: t) { item in
      let line = TraceLine(
        t: item.t, channel: item.record.channel, generation: item.record.generation,
        event: item.record.event(clock, at: item.t))
      state.sink.take(line)
      for note in state.notes.notes(after: line, of: item) {
        state.sink.take(
          TraceLine(
            t: line.t, channel: line.channel, generation: line.generation, event: .recNote(note, rule: nil)))
      }
    }
    swap(&order, &state.order)
  }
}
