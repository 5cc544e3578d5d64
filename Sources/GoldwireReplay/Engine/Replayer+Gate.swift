public import GoldwireMachines
public import GoldwireTrace

/// Recorded actions: they wake the machine, and a gate holds them against what the machine does.
extension Replayer {
  /// The recorded client acted by itself.
  @inlinable
  mutating func act(
    _ slot: Int, _ recorded: GoldenLine, or other: Adapter.Subject.Event?, _ line: TraceLine, at index: Int
  ) {
    guard slots[slot].isInStep else {
      _ = resume(slot, line, at: index)
      return
    }
    runSilentTimers(slot, to: line.t)
    let standing =
      isAwaited(slot, recorded)
      ? Standing.asked : adapter.standing(of: recorded, with: slots[slot].machine)
    switch standing {
    case .unasked where other != nil:
      if let other, hears(slot) { feed(slot, other, at: line.t, index) }
    case .asked, .unasked:
      if options.isGate {
        judge(slot, recorded, line, at: index)
      } else if !ticksByItself {
        tickIfDue(slot, at: line.t, for: recorded)
      }
    case .over: return
    case .stray:
      guard options.isGate else { return }
      result.acts += 1
      depart(Departure(.extra, place(recorded, slot, line), t: line.t, index: index))
      _ = resume(slot, line, at: index)
    }
  }

  /// Whether the machine has acted so itself, and waits for the recorded action.
  @inlinable
  func isAwaited(_ slot: Int, _ recorded: GoldenLine) -> Bool {
    slots[slot].open.contains {
      let own = result.actions[$0].line
      return own.action == recorded.action && own.generation == recorded.generation
    }
  }

  /// Wakes the machine if its wake-up has come, or if it would do a little later what was recorded.
  @inlinable
  mutating func tickIfDue(_ slot: Int, at t: Int, for recorded: GoldenLine) {
    let keepsTime = adapter.keepsTime(recorded)
    let lead = keepsTime ? early + slots[slot].carried : early
    guard let due = due(slot), due <= lead || due &- lead <= t else { return }
    if due > t, wouldTick(slot)?.line.action != recorded.action { return }
    if keepsTime, recorded.action == .ping, t > due {
      slots[slot].carried = min(slack, slots[slot].carried + min(slack, t &- due))
    }
    tick(slot, at: t, now: max(t, due), due: due)
  }

  // MARK: Holding against the machine

  /// Holds a recorded action against what the machine has done or does now.
  @inlinable
  mutating func judge(_ slot: Int, _ recorded: GoldenLine, _ line: TraceLine, at index: Int) {
    result.acts += 1
    if let overdue = slots[slot].overdue {
      slots[slot].overdue = nil
      let isLate = overdue.line.action == recorded.action
      let by = line.t &- overdue.due
      if isLate { result.lateness.append(by) }
      depart(
        Departure(
          isLate ? .late : .missing, overdue.line, t: isLate ? line.t : overdue.due, by: isLate ? by : 0,
          index: isLate ? index : nil, cause: overdue.cause))
      if !isLate || !resume(slot, line, at: index) { goOn(slot, line, isExpected: isLate) }
      return
    }
    if slots[slot].isAstray {
      _ = resume(slot, line, at: index)
      return
    }
    if !slots[slot].open.contains(where: { result.actions[$0].line.action == recorded.action }) {
      tickIfDue(slot, at: line.t, for: recorded)
    }
    if match(slot, recorded, line, at: index) { return }
    let isEarly = wouldTick(slot)?.line.action == recorded.action
    let due = slots[slot].wakeup ?? line.t
    depart(
      Departure(
        isEarly ? .early : .extra,
        isEarly ? (wouldTick(slot)?.line ?? recorded) : place(recorded, slot, line),
        t: line.t, by: isEarly ? due &- line.t : 0, index: index, cause: slots[slot].wakeLine))
    if resume(slot, line, at: index) { return }
    if isEarly {
      tick(slot, at: line.t, now: due, due: due)
      slots[slot].open.removeAll()
    } else {
      slots[slot].isAstray = true
    }
  }

  /// Pairs a recorded action with one of the machine's that still waits for it; those before it are missing.
  @inlinable
  mutating func match(_ slot: Int, _ recorded: GoldenLine, _ line: TraceLine, at index: Int) -> Bool {
    guard
      let place = slots[slot].open.firstIndex(where: { result.actions[$0].line.action == recorded.action })
    else { return false }
    for action in slots[slot].open[..<place] { miss(result.actions[action]) }
    let own = result.actions[slots[slot].open[place]]
    slots[slot].open.removeSubrange(...place)
    let late = line.t &- own.due
    result.lateness.append(late < 0 && adapter.keepsTime(recorded) ? late + slots[slot].carried : late)
    if !recorded.isWithin(own.line) {
      depart(Departure(.differs, own.line, recorded: recorded, t: line.t, index: index, cause: own.cause))
    } else if late > slack {
      depart(Departure(.late, own.line, t: line.t, by: late, index: index, cause: own.cause))
    }
    return true
  }

  /// Looks whether the machine's wake-up has passed by more than the slack, with nothing recorded.
  @inlinable
  mutating func settleOverdue(_ slot: Int, before t: Int) {
    guard slots[slot].overdue == nil, !slots[slot].isAstray else { return }
    guard let due = due(slot), t > due, t &- due > slack else { return }
    guard let action = wouldTick(slot), adapter.isSeen(action.line) else {
      tick(slot, at: max(due, slots[slot].now), now: due, due: due)
      return
    }
    slots[slot].overdue = action
  }

  /// What the machine would do if it were woken when it asks to be.
  @inlinable
  func wouldTick(_ slot: Int) -> ReplayedAction? {
    guard let due = due(slot) else { return nil }
    var trial = slots[slot].machine
    var first: Adapter.Subject.Action?
    trial.tick(at: max(due, slots[slot].now)) { if first == nil { first = $0 } }
    guard let first else { return nil }
    var line = adapter.line(for: first, of: trial, memory: slots[slot].memory)
    line.t = due
    line.channel = channels[slots[slot].channel].name
    if line.generation == nil, !adapter.isPerRequest { line.generation = slots[slot].generation }
    if let req = slots[slot].req { line.req = req }
    return ReplayedAction(
      line, cause: slots[slot].wakeLine, timerSet: slots[slot].wakeSet, due: due)
  }

  /// Whatever still waits for its recorded action at a beginning or at the end is missing.
  @inlinable
  mutating func closeOpen(_ slot: Int, at t: Int) {
    for action in slots[slot].open where t &- result.actions[action].due > slack {
      miss(result.actions[action])
    }
    slots[slot].open.removeAll()
    if let overdue = slots[slot].overdue {
      miss(overdue)
      slots[slot].overdue = nil
      slots[slot].isAstray = true
    }
  }

  /// After an overdue action: the machine takes it now, or stands still.
  @inlinable
  mutating func goOn(_ slot: Int, _ line: TraceLine, isExpected: Bool) {
    if isExpected {
      tick(slot, at: line.t, now: line.t, due: line.t)
      slots[slot].open.removeAll()
    } else if !resume(slot, line, at: slots[slot].wakeLine ?? 0) {
      slots[slot].isAstray = true
    }
  }

  @inlinable
  mutating func miss(_ action: ReplayedAction) {
    depart(Departure(.missing, action.line, t: action.due, cause: action.cause))
  }

  @inlinable
  mutating func depart(_ departure: Departure) { result.departures.append(departure) }

  @inlinable
  func place(_ recorded: GoldenLine, _ slot: Int, _ line: TraceLine) -> GoldenLine {
    var placed = recorded
    placed.t = line.t
    placed.channel = channels[slots[slot].channel].name
    placed.generation = recorded.generation ?? line.generation
    return placed
  }
}

extension GoldenLine {
  /// Whether all that a recorded action says is what the machine's says too.
  @usableFromInline
  func isWithin(_ own: GoldenLine) -> Bool {
    (attempt == nil || attempt == own.attempt) && (cursor == nil || cursor == own.cursor)
      && (generation == nil || own.generation == nil || generation == own.generation)
      && (wait == nil || wait == own.wait) && (why == nil || why == own.why)
  }
}
