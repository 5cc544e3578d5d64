/// Delivery, in stream order, with at most one effect for what counts as one event.
extension EventStream {
  /// An event of an older connection whose handler still runs.
  struct OlderEvent: Sendable {
    let generation: Int
    let n: Int
    let effect: EffectWindow.Effect?
  }

  mutating func dispatch(_ block: Block, now: Int, emit: (Action) -> Void) {
    guard pendingCount < Limits.pending else {
      emit(.note(.limit))
      return wait(delay, now: now)
    }
    if let id = block.id { carried = id }
    // Only an id that stands in the block itself identifies it, and never the empty one.
    guard let id = block.id, id != 0 else {
      queue.append(.init(n: block.n, effect: nil, cursor: carried, state: .delivered))
      return deliver(block.n, emit)
    }
    let effect = EffectWindow.Effect(id: id, revision: block.revision)
    let state: EventQueue.State =
      isKnown(effect) ? .done : running.contains(key(effect)) ? .held : .delivered
    queue.append(.init(n: block.n, effect: effect, cursor: carried, state: state))
    switch state {
    case .delivered:
      running.insert(key(effect))
      deliver(block.n, emit)
    case .done:
      skip(block.n, effect, emit)
      commit(emit)
    case .held, .failed: break
    }
  }

  mutating func handled(
    _ generation: Int, _ n: Int, _ succeeded: Bool, now: Int, emit: (Action) -> Void
  ) {
    let effect: EffectWindow.Effect?
    if generation == connection {
      guard let entry = queue.delivered(n) else { return }
      queue.finish(n, as: succeeded ? .done : .failed)
      handling -= 1
      if handling == 0, state == .open { live(now) }
      effect = entry.effect
    } else {
      let index = older.firstIndex { $0.generation == generation && $0.n == n }
      guard let index else { return }
      effect = older[index].effect
      older.remove(at: index)
    }
    if let effect { running.remove(key(effect)) }
    if succeeded {
      succeed(effect, emit)
    } else {
      fail(effect, isCurrent: generation == connection, now: now, emit)
    }
  }

  /// Moves the cursor past all that is done at the head of the stream.
  mutating func commit(_ emit: (Action) -> Void) {
    while let entry = queue.popDone() {
      guard entry.cursor != cursor else { continue }
      cursor = entry.cursor
      hasCommitted = true
      emit(.commit(cursor: cursor))
    }
  }

  private mutating func succeed(_ effect: EffectWindow.Effect?, _ emit: (Action) -> Void) {
    if let effect {
      let wasComplete = window.forgotten == 0
      window.insert(effect)
      if wasComplete, window.forgotten > 0 { emit(.note(.idForgot)) }
      if failedID == effect.id { failedID = nil }
      while let held = queue.release(effect, by: parameters.dedup, as: .done) {
        if let again = held.effect { skip(held.n, again, emit) }
      }
    }
    commit(emit)
  }

  private mutating func fail(
    _ effect: EffectWindow.Effect?, isCurrent: Bool, now: Int, _ emit: (Action) -> Void
  ) {
    // A commit begins a new count, unless the same event fails once more.
    let isSame = effect != nil && effect?.id == failedID
    if hasCommitted, !isSame { failures = 0 }
    failures += 1
    failedID = effect?.id
    hasCommitted = false
    if failures >= parameters.failures { return stop(.failures, emit) }
    if isCurrent {
      if state == .open { wait(delay, now: now) }
    } else if let effect {
      guard let held = queue.release(effect, by: parameters.dedup, as: .delivered) else { return }
      running.insert(key(effect))
      deliver(held.n, emit)
    }
  }

  private mutating func deliver(_ n: Int, _ emit: (Action) -> Void) {
    handling += 1
    emit(.deliver(n))
  }

  private func skip(_ n: Int, _ effect: EffectWindow.Effect, _ emit: (Action) -> Void) {
    emit(.skip(n))
    if !window.contains(effect) { emit(.note(.conflict)) }
  }

  private func isKnown(_ effect: EffectWindow.Effect) -> Bool {
    switch parameters.dedup {
    case .id: window.contains(id: effect.id)
    case .idAndContent: window.contains(effect)
    }
  }

  /// What counts as the same event.
  private func key(_ effect: EffectWindow.Effect) -> EffectWindow.Effect {
    switch parameters.dedup {
    case .id: .init(id: effect.id, revision: 0)
    case .idAndContent: effect
    }
  }
}
