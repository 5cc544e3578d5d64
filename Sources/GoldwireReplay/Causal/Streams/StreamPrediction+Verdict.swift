internal import GoldwireMachines

/// What is worse than in the recording, and what a verdict is taken from.
extension StreamPrediction {
  /// An end, or an event's effect, that makes a change worse.
  struct Harm {
    enum Kind {
      /// A connection is given up for a silence that the recorded reader lived through.
      case givenUp
      /// The reader stops, and the recorded one did not, or for another reason.
      case stopped
      /// An event has one effect more than it had.
      case twice
      /// An event has no effect that had one.
      case lost
    }

    var kind: Kind
    var branch: CausalBranch

    var isFirm: Bool { branch.kind != .split && (branch.line.grade ?? .unidentified) >= .interpolated }
  }

  /// A verdict with what decides it, or leaves it open.
  struct Judgement {
    var verdict: CausalVerdict
    var harms: [Harm]
    var doubts: [String] = []
  }

  /// Judges by the deciding lines: a firm harm is a regression, whatever comes after it.
  func judgement(_ weakest: Grade) -> Judgement {
    let harms = harms
    guard !harms.contains(where: \.isFirm) else {
      return Judgement(verdict: .regression, harms: harms.filter(\.isFirm))
    }
    guard let now = nows.first else { return Judgement(verdict: .inconclusive, harms: []) }
    var doubts: [String] = []
    if runs.indices.contains(where: { !late(in: $0).isEmpty }) {
      doubts.append(
        "the recording ends before all has come that the recorded reader got: what is still to come is not lost"
      )
    }
    let contested = contested
    if nows.contains(where: { !contested.isDisjoint(with: differing($0.effects)) }) {
      doubts.append(
        "an id came with several contents: whether that is the same event again, or another one of a server that began to "
          + "count anew, no recording tells")
    }
    let isAlike = nows.allSatisfy { $0 == now } && !runs.contains(where: \.isCensored)
    guard isAlike, weakest >= .interpolated, doubts.isEmpty, harms.isEmpty else {
      return Judgement(verdict: .inconclusive, harms: harms, doubts: doubts)
    }
    if now.givenUp > then.givenUp { return Judgement(verdict: .regression, harms: []) }
    let isBetter =
      now.givenUp < then.givenUp || now.stop == nil && then.stop != nil
      || now.effects.contains { effect, count in
        let was = then.effects[effect] ?? 0
        return was == 0 || count < was
      }
    return Judgement(verdict: isBetter ? .improvement : .same, harms: [])
  }

  /// All harms of any run, those of the likeliest first.
  private var harms: [Harm] { givenUp + stopped + twice + lost }

  private func harm(_ kind: Harm.Kind, _ step: StreamRun.Step, in run: StreamRun? = nil) -> Harm {
    let (grade, band) = firmness(of: step)
    let worlds = worlds(with: step)
    var line = golden(step)
    line.grade = grade
    return Harm(
      kind: kind,
      branch: CausalBranch(
        worlds == runs.count ? .gained : .split, line, earliest: band.lowerBound, latest: band.upperBound,
        worlds: worlds, of: runs.count, lines: step.lines))
  }

  /// Steps of any run for which something holds, each once.
  private func steps(_ holds: (StreamRun.Step) -> Bool) -> [StreamRun.Step] {
    var seen: Set<StreamRun.Step.Key> = []
    return runs.flatMap(\.steps).filter { holds($0) && seen.insert($0.key).inserted }
  }

  // MARK: Ends

  /// A silence is the recorded reader's as well if it gave up while this one waited, or the other way round.
  private var givenUp: [Harm] {
    let own = before.steps.filter(\.isGivenUp).map(\.t)
    let (patience, idle) = (inForce.idle ?? 0, parameters.idle ?? 0)
    return steps { step in
      step.isGivenUp && !own.contains { $0 >= step.t - idle && step.t >= $0 - patience }
    }.map { harm(.givenUp, $0) }
  }

  private var stopped: [Harm] {
    steps { step in
      if case .stop(let why) = step.action { return why != then.stop }
      return false
    }.map { harm(.stopped, $0) }
  }

  // MARK: Effects

  /// Ids with several contents, where one reader takes them for one event and the other does not.
  private var contested: Set<StreamRun.Delivered> {
    guard parameters.dedup != inForce.dedup else { return [] }
    var contents: [Int: Set<Int>] = [:]
    for effect in stream.connections.flatMap(\.items).compactMap(\.effect) {
      contents[effect.id, default: []].insert(effect.revision)
    }
    return Set(contents.filter { $0.value.count > 1 }.map { .effect(.init(id: $0.key, revision: 0)) })
  }

  /// The events that do not have as many effects as they had.
  private func differing(_ effects: [StreamRun.Delivered: Int]) -> Set<StreamRun.Delivered> {
    Set(effects.filter { then.effects[$0.key] != $0.value }.keys)
      .union(then.effects.filter { effects[$0.key] == nil }.keys)
  }

  private var twice: [Harm] {
    let contested = contested
    var seen: Set<StreamRun.Step.Key> = []
    var found: [StreamRun.Step] = []
    for (run, now) in zip(runs, nows) where now.effects.contains(where: { $0.value > 1 }) {
      var counts: [StreamRun.Delivered: Int] = [:]
      for step in run.steps where !step.isFailed {
        guard let event = step.event.map(now.name), !contested.contains(event) else { continue }
        counts[event, default: 0] += 1
        if counts[event] == max(1, then.effects[event] ?? 0) + 1, seen.insert(step.key).inserted {
          found.append(step)
        }
      }
    }
    return found.map { harm(.twice, $0) }
  }

  /// Events that the recorded reader got, and that a run has missed for good.
  private var lost: [Harm] {
    let missed = runs.indices.map { missing(in: $0).subtracting(late(in: $0)) }
    let all = missed.reduce(into: Set()) { $0.formUnion($1) }
    guard !all.isEmpty else { return [] }
    return before.steps.compactMap { step -> Harm? in
      guard let event = step.event.map(then.name), !step.isFailed, all.contains(event) else { return nil }
      let worlds = missed.count { $0.contains(event) }
      var line = golden(step)
      line.grade = worlds == runs.count ? runs.map { $0.grade(at: step.t) }.min() : .unidentified
      return Harm(
        kind: .lost,
        branch: CausalBranch(
          worlds == runs.count ? .lost : .split, line, earliest: step.t, latest: step.t, worlds: worlds,
          of: runs.count, lines: step.lines))
    }
  }

  private func missing(in run: Int) -> Set<StreamRun.Delivered> {
    Set(then.effects.keys.filter { nows[run].effects[$0] == nil }).subtracting(contested)
  }

  /// What a run has not got, and may still get: a reader that reads on, from a cursor before it.
  private func late(in place: Int) -> Set<StreamRun.Delivered> {
    let (missing, run) = (missing(in: place), runs[place])
    guard !missing.isEmpty, run.machine.phase != .stopped else { return [] }
    if run.isCensored { return missing }
    let places = Dictionary(
      run.world.log.enumerated().compactMap { place, entry in entry.id.map { ($0, place) } },
      uniquingKeysWith: { $1 })
    let cursor = places[run.machine.committed] ?? -1
    return missing.filter { event in
      guard case .effect(let effect) = event, let place = places[effect.id] else { return false }
      return place > cursor
    }
  }
}

extension StreamRun {
  /// What a verdict is taken from.
  struct Summary: Equatable {
    var connects = 0
    /// How many effects each event had.
    var effects: [Delivered: Int] = [:]
    var givenUp = 0
    var stop: EventStream.Stop?
    private let isByContent: Bool

    /// Adds a run up; an event is its id alone, unless `isByContent`.
    init(_ run: StreamRun, _ isByContent: Bool) {
      self.isByContent = isByContent
      for step in run.steps {
        switch step.action {
        case .connect: connects += 1
        case .deliver:
          if let event = step.event, !step.isFailed { effects[name(event), default: 0] += 1 }
        case .stop(let why): stop = why
        case nil: givenUp += 1
        case .skip, .commit, .note: break
        }
      }
    }

    /// What an event counts as.
    func name(_ delivered: Delivered) -> Delivered {
      guard !isByContent, case .effect(let effect) = delivered else { return delivered }
      return .effect(.init(id: effect.id, revision: 0))
    }
  }

  /// The grade of what is done, or not, at an instant.
  fileprivate func grade(at t: Int) -> Grade { (steps.last { $0.t <= t } ?? steps.first)?.grade ?? grade }
}

extension StreamRun.Step {
  /// The connection is given up for its silence.
  var isGivenUp: Bool { action == nil }

  /// What makes two steps the same action, of the same event.
  struct Key: Hashable {
    var word: ActionWord
    var value: Int
    var generation: Int
    var id: Int?
  }

  /// What makes it the same as another.
  var key: Key {
    let (word, value): (ActionWord, Int) =
      switch action {
      case .connect(let cursor): (.connect, cursor)
      case .deliver(let n): (.deliver, n)
      case .skip(let n): (.skip, n)
      case .commit(let cursor): (.commit, cursor)
      case .stop(let why): (.stop, EventStream.Stop.allCases.firstIndex(of: why) ?? 0)
      case .note(let note): (.note, EventStream.Note.allCases.firstIndex(of: note) ?? 0)
      case nil: (.close, 0)
      }
    return Key(word: word, value: value, generation: generation, id: id)
  }
}
