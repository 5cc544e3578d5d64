internal import GoldwireMachines

/// What should be delivered, skipped and committed, and which rule is broken where it is not.
extension StreamOracle {
  mutating func dispatch(_ block: EventStream.Block) {
    lastNumber = block.n
    if let id = block.id { carried = id }
    var entry = Entry(generation: generation, n: block.n, cursor: carried, state: .running)
    if let id = block.id, id != 0 {
      let key = Key(id: id, rev: parameters.dedup == .id ? 0 : block.revision)
      entry.key = key
      if effects.contains(key) {
        entry.state = .done
      } else if isRunning(key) {
        entry.state = .held
      }
    }
    entries.append(entry)
    switch entry.state {
    case .running: wanted.effects.append(.deliver(block.n))
    case .done: wanted.effects.append(.skip(block.n))
    case .held, .failed: break
    }
    commit()
  }

  func isRunning(_ key: Key) -> Bool {
    entries.contains { $0.key == key && $0.state == .running } || older.contains { $0.key == key }
  }

  mutating func handled(_ number: Int, _ n: Int, _ succeeded: Bool, _ now: Int) {
    let isRunning = { (entry: Entry) in
      entry.generation == number && entry.n == n && entry.state == .running
    }
    let key: Key?
    if number == generation {
      guard let index = entries.firstIndex(where: isRunning) else { return }
      entries[index].state = succeeded ? .done : .failed
      key = entries[index].key
      if phase == .open, !isHandling { live(now) }
    } else {
      guard let index = older.firstIndex(where: isRunning) else { return }
      key = older.remove(at: index).key
    }
    if succeeded { succeed(key) } else { fail(key, isCurrent: number == generation, now) }
  }

  private mutating func succeed(_ key: Key?) {
    if let key {
      effects.insert(key)
      if failedID == key.id { failedID = nil }
      for index in entries.indices where entries[index].key == key && entries[index].state == .held {
        entries[index].state = .done
        wanted.effects.append(.skip(entries[index].n))
      }
    }
    commit()
  }

  private mutating func fail(_ key: Key?, isCurrent: Bool, _ now: Int) {
    let isSame = key != nil && key?.id == failedID
    if hasCommitted, !isSame { failures = 0 }
    failures += 1
    failedID = key?.id
    hasCommitted = false
    if failures >= parameters.failures { return stop(.failures) }
    if isCurrent {
      if phase == .open { wait(delay, now) }
    } else if let key, let index = entries.firstIndex(where: { $0.key == key && $0.state == .held }) {
      entries[index].state = .running
      wanted.effects.append(.deliver(entries[index].n))
    }
  }

  mutating func commit() {
    while let first = entries.first, first.state == .done {
      entries.removeFirst()
      guard first.cursor != cursor else { continue }
      cursor = first.cursor
      hasCommitted = true
      wanted.commits.append(cursor)
    }
  }

  // MARK: Judging

  func judge(
    _ actions: ArraySlice<History<Subject>.Moment>, _ input: Int, _ before: StreamOracle
  ) -> Breach? {
    var (effects, commits, last) = (wanted.effects[...], wanted.commits[...], wanted.last)
    for index in actions.indices {
      guard case .action(let action) = actions[index].what else { continue }
      let rule: PerturbRule?
      switch action {
      case .deliver, .skip:
        rule = effects.first == action ? nil : self.rule(against: action, effects.first, before)
        _ = effects.popFirst()
      case .commit(let given):
        rule = commits.first == given ? nil : Rules.cursor
        _ = commits.popFirst()
      case .connect(let given):
        if case .connect(let right)? = last {
          rule = given == right ? nil : Rules.cursor
        } else {
          rule = before.phase == .stopped ? Rules.stopped : Rules.early
        }
        last = nil
      case .stop:
        rule = last == action ? nil : before.phase == .stopped ? Rules.stopped : Rules.stops
        last = nil
      case .note: rule = nil
      }
      if let rule { return Breach(rule: rule, moment: index) }
    }
    if let effect = effects.first { return Breach(rule: self.rule(lacking: effect), moment: input) }
    if !commits.isEmpty { return Breach(rule: Rules.commits, moment: input) }
    switch last {
    case nil: return nil
    case .connect: return Breach(rule: Rules.connects, moment: input)
    default: return Breach(rule: Rules.stops, moment: input)
    }
  }

  private func rule(
    against action: EventStream.Action, _ right: EventStream.Action?, _ before: StreamOracle
  ) -> PerturbRule {
    if before.phase == .stopped { return Rules.stopped }
    if case .deliver = action {
      if case .skip? = right { return Rules.oneEffect }
      return right == nil && before.phase == .open ? Rules.oneEffect : Rules.oldGeneration
    }
    return right.map(rule(lacking:)) ?? Rules.lost
  }

  /// The rule that a lacking delivery or skip breaks.
  private func rule(lacking effect: EventStream.Action) -> PerturbRule {
    guard case .deliver(let n) = effect else { return Rules.lost }
    return entries.contains { $0.n == n && $0.key == nil } ? Rules.ownID : Rules.lost
  }
}
