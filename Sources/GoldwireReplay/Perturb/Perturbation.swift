internal import GoldwireMachines
public import GoldwireTrace

/// Changes a clean trace at random, replays each mutant into a machine, and holds invariants against what comes.
///
///     let perturbation = Perturbation(WatchdogAdapter(), invariants: [silentAfterClose])
///     let report = perturbation.run(trace, seed: 1, count: 2_000)
///
/// Equal seeds give equal reports. A machine that traps ends the process; ``mutant(_:of:seed:)`` gives the
/// mutants one by one, to look for the one that did it.
public struct Perturbation<Adapter: ReplayAdapter>: Sendable {
  /// The limits of a run.
  public enum Limits {
    /// The lines of the clean trace that are changed; those behind them are left out.
    public static var lines: Int { 400 }
    /// The changes in one mutant.
    public static var changes: Int { 3 }
    /// The replays that the shrinking of one mutant may take.
    public static var shrinking: Int { 5_000 }
    /// The mutants of one broken rule that are shrunk; the smallest is told.
    public static var candidates: Int { 4 }
  }

  private let makeAdapter: @Sendable (Trace) -> Adapter
  private let invariants: [Invariant<Adapter.Subject>]
  /// Whether the machine cannot be asked any more, so that nothing further is tried.
  var isOver: @Sendable () -> Bool = { false }

  /// Makes a perturbation of the machine that an adapter makes.
  public init(_ adapter: Adapter, invariants: [Invariant<Adapter.Subject>]) {
    self.init(invariants: invariants) { _ in adapter }
  }

  /// Makes a perturbation whose adapter depends on the trace.
  public init(
    invariants: [Invariant<Adapter.Subject>], adapter: @escaping @Sendable (Trace) -> Adapter
  ) {
    (self.invariants, makeAdapter) = (invariants, adapter)
  }

  /// What came of a replay.
  struct Played {
    var histories: [History<Adapter.Subject>] = []
    var replayed = Replayed()
    var breach: Invariant<Adapter.Subject>.Breach?
    /// The machine that broke the rule.
    var place = 0
  }

  /// What mutants are drawn from.
  struct Plan {
    var base: Trace
    /// When the machines want to be woken over the clean trace.
    var wishes: [Int]
    var family: Channel.Family
    var kinds: [MutationKind]
    var seed: UInt64
  }

  /// A mutant: its lines, and what was done to them.
  struct Mutant {
    var number: Int
    var lines: [TraceLine]
    var kinds: [MutationKind]
  }
}

// MARK: - Running

extension Perturbation {
  /// Tries so many mutants of a trace, with changes of these kinds; as it is, of all that its family allows.
  public func run(
    _ trace: Trace, seed: UInt64 = 1, count: Int = 2_000, kinds: Set<MutationKind>? = nil
  ) -> PerturbReport {
    let adapter = makeAdapter(trace)
    let base = Self.prepared(trace, adapter)
    var report = PerturbReport(
      seed: seed, count: count, rules: invariants.flatMap(\.rules) + [.earlyTick, .endless])
    report.unit = trace.header.unit
    (report.lines, report.linesInAll) = (base.lines.count, trace.lines.count)
    report.kinds = MutationKind.all(for: adapter.family).filter { kinds?.contains($0) ?? true }
    let clean = play(base, base.lines)
    report.inputs = clean.histories.reduce(0) { $0 + $1.moments.count { !$0.isAction } }
    let plan = Plan(
      base: base, wishes: Self.wishes(clean), family: adapter.family, kinds: report.kinds, seed: seed)
    var broken: [PerturbRule: [Mutant]] = [:]
    var counts: [PerturbRule: Int] = [:]
    var order: [PerturbRule] = []
    for number in 0...max(0, count) {
      let mutant = number == 0 ? Mutant(number: 0, lines: base.lines, kinds: []) : mutate(plan, number)
      for kind in Set(mutant.kinds) { report.tried[kind, default: 0] += 1 }
      let breach = play(base, mutant.lines).breach
      if isOver() { return report }
      guard let breach else { continue }
      if counts[breach.rule] == nil { order.append(breach.rule) }
      counts[breach.rule, default: 0] += 1
      broken[breach.rule, default: []].keep(mutant, atMost: Limits.candidates)
    }
    for rule in order {
      report.add(finding(rule, broken[rule] ?? [], base, mutants: counts[rule] ?? 0))
    }
    return report
  }

  /// The mutant of this number, from 1, of a run with the same seed and kinds, as a trace.
  public func mutant(
    _ number: Int, of trace: Trace, seed: UInt64 = 1, kinds: Set<MutationKind>? = nil
  ) -> Trace {
    let adapter = makeAdapter(trace)
    let base = Self.prepared(trace, adapter)
    let wishes = Self.wishes(play(base, base.lines))
    let all = MutationKind.all(for: adapter.family).filter { kinds?.contains($0) ?? true }
    let plan = Plan(base: base, wishes: wishes, family: adapter.family, kinds: all, seed: seed)
    return Trace(header: base.header, lines: mutate(plan, number).lines)
  }

  private func mutate(_ plan: Plan, _ number: Int) -> Mutant {
    let kinds = plan.kinds
    var mutator = Mutator(
      plan.base.lines, random: MutantRandom(seed: plan.seed, mutant: number), family: plan.family,
      unit: plan.base.header.unit, known: plan.wishes
    ) { Self.wishes(play(plan.base, $0, isHeld: false)) }
    var mutant = Mutant(number: number, lines: [], kinds: [])
    // Each kind in turn, so that none is left out; others beside it by chance.
    var chosen = kinds.isEmpty ? [] : [kinds[number % kinds.count]]
    for _ in 0..<mutator.random.below(Limits.changes) {
      if let kind = mutator.random.pick(kinds) { chosen.append(kind) }
    }
    let isAtEnd = chosen.contains(.clockEnd)
    for kind in chosen where kind != .clockEnd && mutator.apply(kind) { mutant.kinds.append(kind) }
    mutator.runOn()
    if isAtEnd, mutator.apply(.clockEnd) { mutant.kinds.append(.clockEnd) }
    mutant.lines = mutator.lines
    return mutant
  }

  private static func wishes(_ played: Played) -> [Int] { played.histories.flatMap(\.wishes) }

  /// Replays lines, and asks the invariants where they are to be held.
  func play(_ base: Trace, _ lines: [TraceLine], isHeld: Bool = true) -> Played {
    var trace = base
    trace.lines = lines
    let scan = TraceScan(lines)
    var replayer = Replayer(
      WatchingAdapter(base: makeAdapter(trace), isProbed: isHeld), scan: scan, unit: base.header.unit,
      options: ReplayOptions(tick: .exact))
    for index in 0..<scan.count { replayer.take(lines[index], at: index) }
    var played = Played()
    played.replayed = replayer.finish()
    for slot in replayer.slots {
      var history = slot.machine.history
      history.horizon = scan.horizon
      history.isWhole = slot.isInStep
      history.scan = scan
      played.histories.append(history)
    }
    guard isHeld else { return played }
    for (place, history) in played.histories.enumerated() {
      for invariant in invariants {
        guard let breach = invariant.check(history) else { continue }
        (played.breach, played.place) = (breach, place)
        return played
      }
      guard let moment = history.earlyTick else { continue }
      (played.breach, played.place) = (.init(rule: .earlyTick, moment: moment), place)
      return played
    }
    if let channel = played.replayed.runaway {
      let place = replayer.slots.firstIndex { replayer.channels[$0.channel].name == channel } ?? 0
      played.breach = .init(rule: .endless, moment: played.histories[place].moments.count)
      played.place = place
    }
    return played
  }
}

// MARK: - The clean trace

extension Perturbation {
  /// What of a trace concerns the machine, as the trace that is changed.
  static func prepared(_ trace: Trace, _ adapter: Adapter) -> Trace {
    var header = trace.header
    let isBlind = header.blind.contains(.handler)
    (header.source, header.clock, header.grain, header.blind) = (.mutant, .virtual, nil, [])
    var lines: [TraceLine] = []
    for line in trace.lines {
      guard concerns(line, adapter) else { continue }
      if lines.count >= Limits.lines {
        lines.append(TraceLine(t: line.t, event: .recEnd(why: .limit, counts: nil)))
        break
      }
      lines.append(line)
      // Where handlers could not be seen, each counts as ended at once.
      if isBlind, case .sseEvent(let n, _, _, _) = line.event {
        lines.append(
          TraceLine(
            t: line.t, channel: line.channel, generation: line.generation, event: .sseHandled(n: n, ok: true))
        )
      }
      if case .recEnd = line.event { break }
    }
    return Trace(header: header, lines: lines)
  }

  private static func concerns(_ line: TraceLine, _ adapter: Adapter) -> Bool {
    switch line.event {
    case .recTick, .recNote, .recOpaque, .recDrop: false
    case .recEnd: true
    case .appBackground, .appForeground, .appNetwork, .appSession, .recWall, .recPause, .recGap:
      line.channel == nil || line.channel?.family == adapter.family
    default: adapter.channel(of: line) != nil
    }
  }
}

extension Array {
  /// Keeps the first mutants, those without a hole in the recording rather than others.
  fileprivate mutating func keep<Adapter>(_ mutant: Element, atMost limit: Int)
  where Element == Perturbation<Adapter>.Mutant {
    if count < limit { return append(mutant) }
    guard !mutant.kinds.contains(.gap), let place = lastIndex(where: { $0.kinds.contains(.gap) }) else {
      return
    }
    self[place] = mutant
  }
}
