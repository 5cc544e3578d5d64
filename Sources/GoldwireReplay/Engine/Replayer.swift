public import GoldwireMachines
public import GoldwireTrace

/// Replays a trace as it was recorded into the machines of one kind, in virtual time.
///
/// At one instant the recorded lines come first, in line order, then the machine's own tick; a recorded tick
/// stands where its line stands. Each machine is woken exactly when it asks, and never stepped through time.
/// Nothing is allocated for an event.
public struct Replayer<Adapter: ReplayAdapter> {
  @usableFromInline let adapter: Adapter
  @usableFromInline let unit: Unit
  @usableFromInline let options: ReplayOptions
  @usableFromInline let scan: TraceScan
  @usableFromInline let early: Int
  @usableFromInline let slack: Int
  /// The span of `every:D` in the trace's unit; 0 for none.
  @usableFromInline let step: Int
  @usableFromInline let ticksByItself: Bool
  /// Whether recorded ticks are for the machines of single requests, of which there can be many.
  @usableFromInline let keepsTimers: Bool

  @usableFromInline var channels: [ReplayChannel] = []
  @usableFromInline var indices: [Channel: Int] = [:]
  @usableFromInline var lastChannel = -1
  @usableFromInline var slots: [ReplaySlot<Adapter>] = []
  /// The channels that may be in step; one that was lost since is left in.
  @usableFromInline var found: [Int] = []
  @usableFromInline var ambient = Ambient()
  /// The machines that hear of the app's state at once.
  @usableFromInline var awake: [Int] = []
  @usableFromInline var scratch: [Adapter.Subject.Action] = []
  @usableFromInline var result = Replayed()

  /// Makes a replayer for a trace's lines, whose instants are in `unit`.
  @inlinable
  public init(_ adapter: Adapter, scan: TraceScan, unit: Unit, options: ReplayOptions) {
    self.adapter = adapter
    self.unit = unit
    self.options = options
    self.scan = scan
    early = options.early.roundedUp(in: unit)
    slack = options.slack.roundedUp(in: unit)
    keepsTimers = adapter.isPerRequest && scan.hasTicks
    switch options.tick {
    case .exact: (step, ticksByItself) = (0, true)
    case .every(let span): (step, ticksByItself) = (max(1, span.roundedUp(in: unit)), true)
    case .recorded: (step, ticksByItself) = (0, false)
    }
  }

  /// Replays the lines from the first to the end of the recording.
  @inlinable
  public static func replay(
    _ adapter: Adapter, _ lines: [TraceLine], unit: Unit, options: ReplayOptions
  ) -> Replayed {
    let scan = TraceScan(lines)
    var replayer = Replayer(adapter, scan: scan, unit: unit, options: options)
    if case .lines(let one, let two)? = options.flipped?.kind, max(one, two) < scan.count {
      var swapped = lines
      swapped.swapAt(one, two)
      for index in 0..<scan.count { replayer.take(swapped[index], at: index) }
    } else {
      for index in 0..<scan.count { replayer.take(lines[index], at: index) }
    }
    return replayer.finish()
  }

  // MARK: Lines

  /// Takes the next line; `index` is its place in the trace's lines.
  @inlinable
  public mutating func take(_ line: TraceLine, at index: Int) {
    switch line.event {
    case .recPause, .recEnd, .recDrop, .recNote, .recOpaque: return
    case .recTick: tickRecorded(line)
    case .recGap: lose(line)
    case .wsAttach: attach(line, at: index)
    default:
      if line.channel == nil, ambient.take(line, at: index) {
        if adapter.isPrompt(line) { tellAwake() }
        return
      }
      guard let channel = adapter.channel(of: line) else { return }
      guard let slot = slot(for: channel, line.event) else { return }
      hear(slot)
      if !slots[slot].isAwake {
        slots[slot].isAwake = true
        awake.append(slot)
      }
      deliver(line, at: index, to: slot)
    }
  }

  /// Runs the machines to the end of the recording, and gives back what came of it.
  @inlinable
  public mutating func finish() -> Replayed {
    for slot in slots.indices {
      hear(slot)
      advance(slot, before: scan.horizon, including: true)
      if options.isGate { settleOverdue(slot, before: scan.horizon) }
      if options.isGate { closeOpen(slot, at: scan.horizon) }
    }
    result.horizon = scan.horizon
    result.channels = channels.map(\.name).sorted()
    result.neverInStep = channels.filter { !$0.wasInStep }.map(\.name).sorted()
    result.actions.sortCanonically()
    return result
  }

  /// Hands a line to one machine, after the ticks that were due before it.
  @inlinable
  mutating func deliver(_ line: TraceLine, at index: Int, to slot: Int) {
    let isFlipped = isFlipped(slot, at: line.t)
    if ticksByItself { advance(slot, before: line.t, including: isFlipped) }
    if options.isGate { settleOverdue(slot, before: line.t) }
    if options.findsTies { noteTimerTie(slot, line.t, index) }
    switch adapter.read(line, at: index, memory: &slots[slot].memory) {
    case .note: break
    case .input(let event, let then):
      guard hears(slot) else { return }
      feed(slot, event, at: line.t, index)
      if let then { feed(slot, then, at: line.t, index) }
    case .begin(let event, let then):
      begin(slot, line, at: index)
      feed(slot, event, at: line.t, index, isBeginning: true)
      if let then { feed(slot, then, at: line.t, index) }
    case .act(let recorded, let other, let then):
      act(slot, recorded, or: other, line, at: index)
      if let then, hears(slot) { feed(slot, then, at: line.t, index) }
    case .timer: runSilentTimers(slot, to: line.t)
    }
  }

  /// Whether the machine may be told of an event.
  ///
  /// A request that has not been sent yet can be cancelled already.
  @inlinable
  func hears(_ slot: Int) -> Bool {
    guard slots[slot].isInStep else {
      return adapter.isPerRequest && !slots[slot].isStale && !channels[slots[slot].channel].isLost
    }
    return !slots[slot].isAstray && slots[slot].overdue == nil
  }

  // MARK: Channels and machines

  /// The machine that an event of a channel is for; made where there is none.
  @inlinable
  mutating func slot(for channel: Channel, _ event: TraceEvent) -> Int? {
    let place = place(of: channel)
    guard adapter.isPerRequest else {
      if let slot = channels[place].slot { return slot }
      let slot = addSlot(place, req: nil)
      channels[place].slot = slot
      return slot
    }
    guard let req = event.request else { return nil }
    if let slot = channels[place].requests[req] { return slot }
    let slot = addSlot(place, req: req)
    channels[place].requests[req] = slot
    return slot
  }

  /// The index of a channel, which is added where it is new.
  @inlinable
  mutating func place(of channel: Channel) -> Int {
    if lastChannel >= 0, channels[lastChannel].name == channel { return lastChannel }
    if let known = indices[channel] {
      lastChannel = known
      return known
    }
    lastChannel = channels.count
    indices[channel] = lastChannel
    channels.append(ReplayChannel(channel))
    found.append(lastChannel)
    return lastChannel
  }

  @inlinable
  mutating func addSlot(_ place: Int, req: Int?) -> Int {
    let slot = slots.count
    slots.append(
      ReplaySlot(
        machine: adapter.makeMachine(), memory: adapter.makeMemory(), channel: place, req: req))
    // What began in a hole is not known from its beginning.
    if channels[place].isLost { slots[slot].isStale = true } else { channels[place].fresh.append(slot) }
    prime(slot, isNew: true)
    return slot
  }
}

// MARK: - The state of the app

extension Replayer {
  /// Tells a new machine the state that the app is in; a memory that has heard of it hears nothing twice.
  @inlinable
  mutating func prime(_ slot: Int, isNew: Bool) {
    if ambient.version > 0 {
      var memory = slots[slot].memory
      for line in ambient.all {
        guard case .input(let event, _) = adapter.read(line, at: 0, memory: &memory) else { continue }
        slots[slot].machine.handle(event, at: line.t) { _ in }
      }
      if isNew { slots[slot].memory = memory }
    }
    (slots[slot].version, slots[slot].wall) = (ambient.version, ambient.wall)
    slots[slot].wakeup = slots[slot].machine.wakeup
    keepTimer(slot)
  }

  /// Tells a machine what has become of the app since it heard of it last.
  @inlinable
  mutating func hear(_ slot: Int) {
    guard slots[slot].version != ambient.version else { return }
    let news = ambient.news(since: slots[slot].version, wall: slots[slot].wall)
    (slots[slot].version, slots[slot].wall) = (ambient.version, ambient.wall)
    for one in news { deliver(one.line, at: one.index, to: slot) }
  }

  /// Tells all machines that could act on it at once; one of which nothing can come waits for its next line.
  @inlinable
  mutating func tellAwake() {
    var kept = 0
    for place in awake.indices {
      let slot = awake[place]
      hear(slot)
      if adapter.isAsleep(slots[slot].machine) {
        slots[slot].isAwake = false
      } else {
        awake[kept] = slot
        kept += 1
      }
    }
    awake.removeSubrange(kept...)
  }
}

extension TraceEvent {
  /// The logical request that an event belongs to.
  @usableFromInline var request: Int? {
    switch self {
    case .httpSend(let send): send.req
    case .httpResponse(let response): response.req
    case .httpBody(let body): body.req
    case .httpError(let req, _, _, _), .httpWait(let req, _, _, _), .httpCancel(let req),
      .httpStop(let req, _):
      req
    default: nil
    }
  }
}

extension [ReplayedAction] {
  /// Brings nearly sorted actions into the canonical order; equal ones keep theirs.
  @usableFromInline
  mutating func sortCanonically() {
    for index in indices.dropFirst() where self[index].line.precedes(self[index - 1].line) {
      sort { $0.line.precedes($1.line) }
      return
    }
  }
}
