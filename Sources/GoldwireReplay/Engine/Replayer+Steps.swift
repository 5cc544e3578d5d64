public import GoldwireTrace

/// Falling out of step with the recorded client at a hole in the recording, and coming back.
extension Replayer {
  /// A hole, of one channel or of all, or a connection that was open before the recording began.
  @inlinable
  mutating func lose(_ line: TraceLine) {
    if let channel = line.channel {
      guard channel.family == adapter.family else { return }
      lose(place(of: channel), line)
    } else {
      for place in found { lose(place, line) }
      found.removeAll(keepingCapacity: true)
    }
  }

  /// A connection that was open before the recording began; the adapter may take note of its number.
  @inlinable
  mutating func attach(_ line: TraceLine, at index: Int) {
    lose(line)
    guard !adapter.isPerRequest, let channel = line.channel, channel.family == adapter.family,
      let slot = slot(for: channel, line.event)
    else { return }
    _ = adapter.read(line, at: index, memory: &slots[slot].memory)
  }

  @inlinable
  mutating func lose(_ place: Int, _ line: TraceLine) {
    if channels[place].isLost { return }
    for slot in channels[place].fresh {
      hear(slot)
      advance(slot, before: line.t, including: false)
      if options.isGate { settleOverdue(slot, before: line.t) }
      slots[slot].isInStep = false
      slots[slot].isStale = true
      slots[slot].open.removeAll()
      slots[slot].overdue = nil
      slots[slot].isAstray = false
    }
    channels[place].fresh.removeAll(keepingCapacity: true)
    mark(place, .unsync, line)
    channels[place].isLost = true
  }

  /// A connection or a request begins: whatever was lost is found again.
  @inlinable
  mutating func begin(_ slot: Int, _ line: TraceLine, at index: Int) {
    if options.isGate { closeOpen(slot, at: line.t) }
    find(slots[slot].channel, line)
    let isUnknown = !slots[slot].isInStep && !adapter.isPerRequest
    if isUnknown || slots[slot].isStale || slots[slot].isAstray { renew(slot) }
    slots[slot].isInStep = true
    slots[slot].isAstray = false
    slots[slot].carried = 0
    slots[slot].generation = line.generation
  }

  /// Brings a fresh machine in step at a recorded action, due at once; false if the line cannot do that.
  @inlinable
  mutating func resume(_ slot: Int, _ line: TraceLine, at index: Int) -> Bool {
    guard let event = adapter.resume(at: line, memory: slots[slot].memory) else { return false }
    find(slots[slot].channel, line)
    renew(slot)
    slots[slot].isInStep = true
    slots[slot].isAstray = false
    // How late what brought it in step was is not known.
    slots[slot].carried = slack
    slots[slot].generation = line.generation
    feed(slot, event, at: line.t, index)
    tick(slot, at: line.t, now: line.t, due: line.t)
    slots[slot].open.removeAll()
    return true
  }

  /// Says that a channel is in step again, if it was not.
  @inlinable
  mutating func find(_ place: Int, _ line: TraceLine) {
    if channels[place].isLost {
      mark(place, .sync, line)
      found.append(place)
    }
    channels[place].isLost = false
    channels[place].wasInStep = true
  }

  /// Makes the machine anew; the app's state is told to it.
  @inlinable
  mutating func renew(_ slot: Int) {
    slots[slot].machine = adapter.makeMachine(after: slots[slot].machine, memory: slots[slot].memory)
    slots[slot].now = Int.min
    if slots[slot].isStale { channels[slots[slot].channel].fresh.append(slot) }
    slots[slot].isStale = false
    slots[slot].open.removeAll()
    slots[slot].overdue = nil
    prime(slot, isNew: false)
  }

  @inlinable
  mutating func mark(_ place: Int, _ action: ActionWord, _ line: TraceLine) {
    let mark = GoldenLine(
      action, t: line.t, channel: channels[place].name,
      generation: line.channel == nil ? nil : line.generation)
    result.actions.append(ReplayedAction(mark, cause: nil))
  }
}
