internal import Dispatch
internal import GoldwireTrace
internal import Synchronization

/// Checks folders of traces against their goldens: what `goldwire test` does.
///
/// All traces are always run, several at once; the order of the results is that of their paths.
public struct TestRun: Sendable {
  /// What came of each golden, in the order of the paths.
  public let results: [TestResult]
  /// How the run ended.
  public let status: TestStatus
  /// What a reader should know of the traces, a line each, in the order of the paths.
  public let warnings: [String]
  /// Whether inconclusive results were let pass.
  public let wasLenient: Bool

  /// Runs.
  ///
  /// Throws where what is asked for is refused before anything is looked at.
  public init(_ options: TestOptions) throws(ReplayError) {
    try options.check()
    var plan = TestPlan(options.paths)
    var workspaces = Workspaces()
    plan.settle(&workspaces)
    let obstacles = Self.obstacles(plan.jobs, workspaces.all, options)
    let jobs = plan.jobs.filter { workspaces.all[$0.workspace].obstacle(writes: options.writes) == nil }
    let outcomes = Self.check(jobs, workspaces.all, options)
    var results = plan.others + obstacles + outcomes.flatMap(\.results)
    var warnings = outcomes.flatMap(\.warnings)
    if options.writes { results += Self.writeLocks(jobs, outcomes, workspaces.all, &warnings) }
    results = results.enumerated().sorted { left, right in
      left.element.trace == right.element.trace
        ? left.offset < right.offset
        : left.element.trace.utf8.lexicographicallyPrecedes(right.element.trace.utf8)
    }.map(\.element)
    var status = TestStatus.expected
    for result in results { status = status.and(result.status) }
    wasLenient = options.allowsInconclusive && results.contains { $0.status == .inconclusive }
    self.status = wasLenient && status == .inconclusive ? .expected : status
    self.results = results
    self.warnings = warnings
  }

  /// The faults of configurations and locks, each told once.
  private static func obstacles(
    _ jobs: [TestPlan.Job], _ workspaces: [Workspace], _ options: TestOptions
  ) -> [TestResult] {
    var counts = [Int](repeating: 0, count: workspaces.count)
    for job in jobs { counts[job.workspace] += 1 }
    var results: [TestResult] = []
    for (workspace, count) in zip(workspaces, counts) where count > 0 {
      let obstacle = workspace.obstacle(writes: options.writes)
      guard let error = obstacle ?? workspace.lockError else { continue }
      var result = TestResult(trace: error.path ?? "", .error)
      let held = obstacle == nil ? "" : "; \(Words.count(count, "trace")) below it not run"
      result.explanation = [error.description + held]
      results.append(result)
    }
    return results
  }

  private static func check(
    _ jobs: [TestPlan.Job], _ workspaces: [Workspace], _ options: TestOptions
  ) -> [GoldenCheck.Outcome] {
    let workers = max(1, min(options.workers, jobs.count))
    let next = Atomic(0)
    let pools = PoolShelf()
    let shared = Mutex([GoldenCheck.Outcome?](repeating: nil, count: jobs.count))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < jobs.count else { return }
        let outcome = GoldenCheck(
          job: jobs[index], workspace: workspaces[jobs[index].workspace], options: options, pools: pools
        ).run()
        shared.withLock { $0[index] = outcome }
      }
    }
    return shared.withLock { $0.compactMap(\.self) }
  }

  /// Writes what the locks should keep; gives the errors.
  private static func writeLocks(
    _ jobs: [TestPlan.Job], _ outcomes: [GoldenCheck.Outcome], _ workspaces: [Workspace],
    _ warnings: inout [String]
  ) -> [TestResult] {
    var errors: [TestResult] = []
    for (index, workspace) in workspaces.enumerated() {
      guard let root = workspace.root, let path = workspace.lockPath else { continue }
      guard workspace.obstacle(writes: true) == nil else { continue }
      var lock = workspace.lock
      for (job, outcome) in zip(jobs, outcomes) where job.workspace == index {
        lock.entries.merge(outcome.locked) { $1 }
        for key in outcome.forgotten { lock.entries[key] = nil }
      }
      for key in lock.orphans(below: root) {
        lock.entries[key] = nil
        warnings.append("\(path): no more knows \(key), since its trace is gone too")
      }
      guard lock != workspace.lock else { continue }
      do throws(FileError) {
        try AtomicFile.write(lock.bytes(), to: path)
      } catch {
        var result = TestResult(trace: path, .error)
        result.explanation = [ReplayError(error, path: path).description]
        errors.append(result)
      }
    }
    return errors
  }
}

extension Lock {
  /// The goldens that are gone together with every trace that their names could mean, in order.
  fileprivate func orphans(below root: String) -> [String] {
    entries.keys.filter { key in
      let path = Disk.join(root, key)
      guard Disk.kind(of: path) == .absent else { return false }
      let (folder, file) = Disk.split(path)
      return GoldenName.stems(of: file).allSatisfy { stem in
        [".jsonl", ".jsonl.gz"].allSatisfy { Disk.kind(of: Disk.join(folder, stem + $0)) == .absent }
      }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
