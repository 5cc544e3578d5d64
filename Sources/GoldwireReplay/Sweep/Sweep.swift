internal import Dispatch
public import GoldwireTrace
internal import Synchronization

/// A causal replay of many traces at every point of a grid.
public struct Sweep: Sendable {
  /// What is asked.
  public struct Question: Sendable {
    /// Traces and folders of traces.
    public var paths: [String]
    /// The points.
    public var grid: SweepGrid
    /// What predictions take for given.
    public var assumptions = CausalAssumptions()
    /// A herd of clients that retry together; nil for none.
    public var herd: SweepHerd?
    /// How many traces are looked at at once.
    public var workers = 2

    /// Makes a question.
    public init(paths: [String], grid: SweepGrid) {
      self.paths = paths
      self.grid = grid
    }
  }

  /// The grid.
  public let grid: SweepGrid
  /// The machine.
  public let machine: MachineName
  /// What each point came to, in the order of the grid.
  public let tallies: [SweepTally]
  /// The points that no other beats.
  public let best: Set<Int>
  /// How many traces were asked.
  public let traces: Int
  /// What a reader should know of traces that could not be asked, a line each.
  public let warnings: [String]
  /// Whether a herd was run.
  public let hasHerd: Bool

  /// Asks.
  ///
  /// Throws where the grid is empty, where nothing can be asked, or where a parameter makes no sense.
  public init(_ question: Question) throws(ReplayError) {
    guard let machine = question.grid.machine else {
      throw ReplayError("the grid is empty; name values as heartbeat.interval=20s,30s")
    }
    grid = question.grid
    self.machine = machine
    hasHerd = question.herd != nil && machine == .retry
    let files = try Self.files(question.paths)
    let outcomes = Self.run(files, machine, question)
    var tallies = [SweepTally](repeating: SweepTally(), count: question.grid.count)
    var traces = 0
    var left: [SweepSubject.Obstacle: [String]] = [:]
    for (file, outcome) in zip(files, outcomes) {
      if let error = outcome.error { throw error }
      if let obstacle = outcome.obstacle {
        left[obstacle, default: []].append(file)
        continue
      }
      traces += 1
      for index in tallies.indices { tallies[index].add(outcome.tallies[index]) }
    }
    guard traces > 0 else {
      throw ReplayError("none of the traces can be asked; goldwire cut --in-force states what was in force")
    }
    self.tallies = tallies
    self.traces = traces
    warnings = SweepSubject.Obstacle.allCases.compactMap { obstacle in
      left[obstacle].map { Self.warning(obstacle, $0, machine) }
    }
    best = Self.best(tallies, machine, hasHerd: hasHerd)
  }

  /// Tells of the traces that were left out for one reason.
  private static func warning(
    _ obstacle: SweepSubject.Obstacle, _ files: [String], _ machine: MachineName
  ) -> String {
    let names =
      files.prefix(3).joined(separator: ", ") + (files.count > 3 ? " and \(files.count - 3) more" : "")
    let count = Words.count(files.count, "trace")
    switch obstacle {
    case .drivesNone: return "\(count) not asked: no \(machine.rawValue) is driven by \(names)"
    case .hasNoInstants: return "\(count) not asked: there are no instants in \(names)"
    case .doesNotSay: return "\(count) not asked: what was in force is not said by \(names)"
    }
  }

  // MARK: Running

  private struct Outcome: Sendable {
    var tallies: [SweepTally] = []
    var obstacle: SweepSubject.Obstacle?
    var error: ReplayError?
  }

  private static func files(_ paths: [String]) throws(ReplayError) -> [String] {
    var files: [String] = []
    for path in paths {
      switch Disk.kind(of: path) {
      case .file: files.append(path)
      case .folder:
        for (folder, listing) in FolderWalk(path).found {
          for name in listing.files where GoldenName.stem(ofTrace: name) != nil {
            files.append(Disk.join(folder, name))
          }
        }
      case .absent, .danglingLink, .other, .closed:
        throw ReplayError(path: path, Listing.message(Disk.kind(of: path)))
      }
    }
    guard !files.isEmpty else {
      throw ReplayError(path: paths.count == 1 ? paths[0] : nil, "there is no trace to ask")
    }
    // What is named twice is one trace all the same.
    var seen: Set<String> = []
    return files.filter { seen.insert($0).inserted }
  }

  /// Asks each trace at all points; traces are shared among the workers, so that the outcome hangs on none of them.
  private static func run(_ files: [String], _ machine: MachineName, _ question: Question) -> [Outcome] {
    let next = Atomic(0)
    let shared = Mutex([Outcome](repeating: Outcome(), count: files.count))
    let pools = PoolShelf()
    let workers = max(1, min(question.workers, files.count))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < files.count else { return }
        let outcome = ask(files[index], machine, question, pools)
        shared.withLock { $0[index] = outcome }
      }
    }
    return shared.withLock { $0 }
  }

  private static func ask(
    _ file: String, _ machine: MachineName, _ question: Question, _ pools: PoolShelf
  ) -> Outcome {
    var outcome = Outcome()
    do {
      let trace = try Trace.load(path: file)
      let workspace = Workspace.above(Disk.split(file).folder)
      if let error = workspace.error { throw error }
      let pool = try pools.pool(for: file, in: workspace)
      guard let subject = try SweepSubject(trace, machine, question.assumptions, pool) else {
        outcome.obstacle = SweepSubject.obstacle(trace, machine)
        return outcome
      }
      for point in 0..<question.grid.count {
        outcome.tallies.append(try subject.tally(question.grid, point, herd: question.herd))
      }
    } catch {
      outcome.tallies = []
      outcome.error = ReplayError(error, path: file)
    }
    return outcome
  }

  // MARK: Judging

  /// The points that no other beats: none is as good in all that counts, and better in something.
  ///
  /// A point of which nothing is known neither beats another nor is marked; of a herd all is known.
  static func best(_ tallies: [SweepTally], _ machine: MachineName, hasHerd: Bool) -> Set<Int> {
    let costs = tallies.map { $0.costs(machine, hasHerd: hasHerd) }
    let known = tallies.indices.filter { hasHerd || tallies[$0].inconclusive < tallies[$0].parts }
    return Set(
      known.filter { one in
        !known.contains { other in
          zip(costs[other], costs[one]).allSatisfy { $0 <= $1 } && costs[other] != costs[one]
        }
      })
  }
}

extension SweepTally {
  /// What a point costs; less is better.
  ///
  /// A point without delays has nothing to compare: what it lacks is counted, as missed or failed.
  fileprivate func costs(_ machine: MachineName, hasHerd: Bool) -> [Int] {
    let times = [delay(perMille: 500), delay(perMille: 950), worst].map { $0 ?? 0 }
    switch machine {
    case .heartbeat, .stream: return [inconclusive, sends, failures, missed, regressions] + times
    case .retry:
      return [inconclusive, sends, closes, failures, regressions] + times
        + (hasHerd ? [herdPeak, herdReturn, herdLost] : [])
    }
  }
}
