public import GoldwireMachines
public import GoldwireTrace

extension Replayer {
  /// Feeds one event and takes the actions.
  @inlinable
  mutating func feed(
    _ slot: Int, _ event: Adapter.Subject.Event, at t: Int, _ index: Int, isBeginning: Bool = false
  ) {
    let now = max(t, slots[slot].now)
    slots[slot].now = now
    slots[slot].machine.handle(event, at: now) { scratch.append($0) }
    if !scratch.isEmpty {
      emit(slot, at: t, cause: index, timerSet: nil, due: t, isBeginning: isBeginning)
    }
    let wakeup = slots[slot].machine.wakeup
    if wakeup != slots[slot].wakeup {
      slots[slot].wakeup = wakeup
      slots[slot].wakeLine = index
      slots[slot].wakeSet = t
      keepTimer(slot)
    }
  }

  /// Notes when a request's machine wants to be woken, for the recorded ticks of its channel.
  @inlinable
  mutating func keepTimer(_ slot: Int) {
    guard keepsTimers, let wakeup = slots[slot].wakeup else { return }
    channels[slots[slot].channel].timers.push(wakeup, slot)
  }

  /// Lets the machine act on time at `t`; `now` is later only for an action that came a little early.
  @inlinable
  mutating func tick(_ slot: Int, at t: Int, now: Int, due: Int) {
    let now = max(now, slots[slot].now)
    slots[slot].now = now
    slots[slot].machine.tick(at: now) { scratch.append($0) }
    if !scratch.isEmpty {
      emit(
        slot, at: t, cause: slots[slot].wakeLine, timerSet: slots[slot].wakeSet, due: due,
        isBeginning: false)
    }
    let wakeup = slots[slot].machine.wakeup
    if wakeup != slots[slot].wakeup {
      slots[slot].wakeup = wakeup
      slots[slot].wakeSet = t
      keepTimer(slot)
    }
  }

  /// Runs the timers that were due by an instant and show in no action, each at its own instant.
  ///
  /// Where ticks are those of the recording, nothing else would run them: an idle timeout, say, that gives up
  /// a connection, and whose reconnection is all that can be seen of it.
  @inlinable
  mutating func runSilentTimers(_ slot: Int, to t: Int) {
    guard !ticksByItself, slots[slot].isInStep, !slots[slot].isAstray, slots[slot].overdue == nil else {
      return
    }
    var last = Int.min
    while let due = effectiveWakeup(slot), due <= t, due > last, wouldTick(slot) == nil {
      tick(slot, at: due, now: due, due: due)
      last = due
    }
  }

  /// Turns the machine's fresh actions into lines of the output.
  @inlinable
  mutating func emit(_ slot: Int, at t: Int, cause: Int?, timerSet: Int?, due: Int, isBeginning: Bool) {
    for action in scratch {
      var line = adapter.line(
        for: action, of: slots[slot].machine, memory: slots[slot].memory)
      line.t = t
      line.channel = channels[slots[slot].channel].name
      if line.generation == nil, !adapter.isPerRequest { line.generation = slots[slot].generation }
      if let req = slots[slot].req { line.req = req }
      if options.isGate, !isBeginning, adapter.isSeen(line) {
        slots[slot].open.append(result.actions.count)
      }
      result.actions.append(ReplayedAction(line, cause: cause, timerSet: timerSet, due: due))
    }
    scratch.removeAll(keepingCapacity: true)
  }

  /// When the machine will be woken: its wish, moved to the next multiple and out of a pause.
  ///
  /// A line that was fed in a pause does not move it on: a tick that was held back comes at its end.
  @inlinable
  func effectiveWakeup(_ slot: Int) -> Int? {
    guard let due = due(slot) else { return nil }
    if due >= slots[slot].now { return due }
    return rounded(slots[slot].now).map(scan.afterPause)
  }

  /// When the machine should have been woken, whatever it was told since.
  @inlinable
  func due(_ slot: Int) -> Int? {
    guard slots[slot].isInStep, let wish = slots[slot].wakeup else { return nil }
    return rounded(max(wish, slots[slot].wakeSet)).map(scan.afterPause)
  }

  /// The next multiple of the span between ticks, where there is one; nil beyond the clock's range.
  @inlinable
  func rounded(_ instant: Int) -> Int? {
    guard step > 0 else { return instant }
    let rest = instant % step
    guard rest != 0 else { return instant }
    let (next, overflow) = instant.addingReportingOverflow(rest > 0 ? step &- rest : 0 &- rest)
    return overflow ? nil : next
  }

  /// Runs a machine's own ticks up to an instant, without it or with it.
  @inlinable
  mutating func advance(_ slot: Int, before end: Int, including isIncluded: Bool) {
    guard ticksByItself else { return }
    var count = 0
    var (instant, repeats) = (Int.min, 0)
    while let next = effectiveWakeup(slot), next < end || isIncluded && next == end {
      repeats = next == instant ? repeats + 1 : 0
      count += 1
      if repeats >= options.limits.ticksAtOneInstant || count > options.limits.ticksInSilence {
        result.runaway = channels[slots[slot].channel].name
        slots[slot].isInStep = false
        return
      }
      instant = next
      tick(slot, at: next, now: next, due: slots[slot].wakeup ?? next)
    }
  }

  /// A recorded tick: it is for the machines of its channel, if their connection is the one it was made for.
  @inlinable
  mutating func tickRecorded(_ line: TraceLine) {
    guard let channel = line.channel, channel.family == adapter.family else { return }
    let place = place(of: channel)
    guard adapter.isPerRequest else {
      guard let slot = channels[place].slot else { return }
      hear(slot)
      let generation = adapter.generation(of: slots[slot].machine) ?? slots[slot].generation
      if line.generation == nil || line.generation == generation { tickRecorded(slot, at: line.t) }
      return
    }
    // Only those that are due: an early tick does nothing.
    var due: [Int] = []
    while let timer = channels[place].timers.pop(by: line.t) {
      if slots[timer.slot].wakeup == timer.due { due.append(timer.slot) }
    }
    for slot in due {
      hear(slot)
      let wakeup = slots[slot].wakeup
      tickRecorded(slot, at: line.t)
      if slots[slot].wakeup == wakeup { keepTimer(slot) }
    }
  }

  @inlinable
  mutating func tickRecorded(_ slot: Int, at t: Int) {
    if ticksByItself { advance(slot, before: t, including: false) }
    guard slots[slot].isInStep, !slots[slot].isAstray, slots[slot].overdue == nil else { return }
    tick(slot, at: t, now: t, due: slots[slot].wakeup ?? t)
  }

  // MARK: Ties

  @inlinable
  func isFlipped(_ slot: Int, at t: Int) -> Bool {
    guard let flipped = options.flipped, case .timer = flipped.kind else { return false }
    return flipped.t == t && flipped.channel == channels[slots[slot].channel].name
      && flipped.req == slots[slot].req
  }

  @inlinable
  mutating func noteTimerTie(_ slot: Int, _ t: Int, _ index: Int) {
    guard ticksByItself, result.ties.count < options.limits.ties, effectiveWakeup(slot) == t else { return }
    let tie = Tie(
      t: t, channel: channels[slots[slot].channel].name, req: slots[slot].req, kind: .timer(index))
    if let last = result.ties.last, last.t == t, last.channel == tie.channel, last.req == tie.req { return }
    result.ties.append(tie)
  }
}
