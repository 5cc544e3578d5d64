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
    let outcomes = Self.check(plan.jobs, workspaces.all, options)
    var results = plan.others + outcomes.flatMap(\.results)
    if options.writes {
      results += Self.writeLocks(plan.jobs, outcomes, workspaces.all)
    }
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
    warnings = outcomes.flatMap(\.warnings)
  }

  private static func check(
    _ jobs: [TestPlan.Job], _ workspaces: [Workspace], _ options: TestOptions
  ) -> [GoldenCheck.Outcome] {
    let workers = max(1, min(options.workers, jobs.count))
    let next = Atomic(0)
    let shared = Mutex([GoldenCheck.Outcome?](repeating: nil, count: jobs.count))
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < jobs.count else { return }
        let outcome = GoldenCheck(
          job: jobs[index], workspace: workspaces[jobs[index].workspace], options: options
        ).run()
        shared.withLock { $0[index] = outcome }
      }
    }
    return shared.withLock { $0.compactMap(\.self) }
  }

  /// Writes what the locks should keep; gives the errors.
  private static func writeLocks(
    _ jobs: [TestPlan.Job], _ outcomes: [GoldenCheck.Outcome], _ workspaces: [Workspace]
  ) -> [TestResult] {
    var errors: [TestResult] = []
    for (index, workspace) in workspaces.enumerated() {
      guard let path = workspace.lockPath else { continue }
      var lock = workspace.lock
      for (job, outcome) in zip(jobs, outcomes) where job.workspace == index {
        lock.entries.merge(outcome.locked) { $1 }
      }
      if let root = workspace.root {
        lock.entries = lock.entries.filter { Disk.kind(of: Disk.join(root, $0.key)) == .file }
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
