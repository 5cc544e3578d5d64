internal import GoldwireTrace

/// What a run looks at: traces with their goldens, and goldens without a trace, in the order of their paths.
struct TestPlan {
  struct Golden: Sendable {
    var path: String
    var name: GoldenName
    /// Whether the caller named this golden.
    var isNamed: Bool
  }

  /// A golden that the lock knows, and that is gone.
  struct Gone: Sendable {
    var golden: Golden
    /// The values with which it was last written.
    var parameters: MachineParameters
  }

  struct Job: Sendable {
    var path: String
    var folder: String
    var file: String
    var stem: String
    var goldens: [Golden] = []
    /// Goldens that the lock knows and the folder has no more.
    var gone: [Gone] = []
    /// Whether all goldens of the trace are looked at, so that one can be missing.
    var isWhole: Bool
    var workspace = 0
    /// The folder's path below the workspace's root.
    var folderKey: String?
    /// Another trace whose goldens would have the same names.
    var twin: String?

    /// A golden's path below the workspace's root, as the lock has it.
    func key(_ golden: Golden) -> String? { folderKey.map { Disk.join($0, golden.name.file) } }
  }

  private(set) var jobs: [Job] = []
  private(set) var others: [TestResult] = []
  private var byPath: [String: Int] = [:]
  private var listings: [String: Listing] = [:]
  /// Goldens that were named and are not there.
  private var named: [String: Int] = [:]

  init(_ paths: [String]) {
    for path in paths { add(path) }
  }

  private static func precedes(_ one: Golden, _ two: Golden) -> Bool {
    let order = MachineName.allCases
    let (first, second) = (order.firstIndex(of: one.name.machine), order.firstIndex(of: two.name.machine))
    if first != second { return (first ?? 0) < (second ?? 0) }
    return one.path.utf8.lexicographicallyPrecedes(two.path.utf8)
  }

  private mutating func add(_ path: String) {
    let kind = Disk.kind(of: path)
    switch kind {
    case .folder: addFolder(path)
    case .file: addFile(path)
    case .absent where path.hasSuffix(GoldenName.suffix): addFile(path)
    case .absent, .danglingLink, .other, .closed: fail(path, Listing.message(kind))
    }
  }

  private mutating func fail(_ path: String, _ message: String) {
    var result = TestResult(trace: path, .error)
    result.explanation = [ReplayError(path: path, message).description]
    others.append(result)
  }

  // MARK: Folders

  private mutating func addFolder(_ path: String) {
    let walk = FolderWalk(path)
    for error in walk.errors { fail(error.path ?? path, error.message) }
    var isEmpty = walk.errors.isEmpty
    for (folder, listing) in walk.found {
      listings[folder] = listing
      for trouble in listing.troubles { fail(Disk.join(folder, trouble.name), trouble.message) }
      if !listing.files.isEmpty || !listing.troubles.isEmpty { isEmpty = false }
      addFiles(listing, in: folder)
    }
    guard isEmpty else { return }
    var result = TestResult(trace: "", .empty)
    result.explanation = [
      "\(path): the folder has no traces and no goldens; a run over nothing proves nothing"
    ]
    others.append(result)
  }

  /// Adds the traces and goldens of one folder.
  private mutating func addFiles(_ listing: Listing, in folder: String) {
    let stems = listing.stems
    for file in listing.files where GoldenName.stem(ofTrace: file) != nil {
      _ = job(for: file, in: folder, listing, isWhole: true)
    }
    for file in listing.files where file.hasSuffix(GoldenName.suffix) {
      let path = Disk.join(folder, file)
      guard let name = GoldenName(file, stems: stems) else {
        others.append(orphan(path, nil, nil))
        continue
      }
      guard let trace = listing.traces[name.stem] else {
        others.append(orphan(path, name, folder))
        continue
      }
      attach(
        Golden(path: path, name: name, isNamed: false),
        to: job(for: trace, in: folder, listing, isWhole: true))
    }
  }

  private func orphan(_ path: String, _ name: GoldenName?, _ folder: String?) -> TestResult {
    let trace = name.map { Disk.join(folder ?? ".", $0.stem + ".jsonl") } ?? ""
    var result = TestResult(trace: trace, golden: path, machine: name?.machine, .orphan)
    result.explanation =
      name == nil
      ? [
        "its name is not TRACE.MACHINE[.VARIANT]\(GoldenName.suffix) with one of the machines "
          + MachineName.allCases.map(\.rawValue).joined(separator: ", "),
        "rename it, or delete it: rm \(path.quoted)",
      ]
      : ["its trace \(trace) is gone", "restore the trace, or delete the golden: rm \(path.quoted)"]
    return result
  }

  // MARK: Files

  private mutating func addFile(_ path: String) {
    let (folder, file) = Disk.split(path)
    let isGolden = file.hasSuffix(GoldenName.suffix)
    guard isGolden || GoldenName.stem(ofTrace: file) != nil else {
      return fail(path, "is no trace: its name must end in .jsonl or .jsonl.gz")
    }
    let listing: Listing
    do throws(ReplayError) { listing = try self.listing(folder) } catch {
      return fail(error.path ?? folder, error.message)
    }
    if isGolden { addGolden(path, file, in: folder, listing) } else { addTrace(file, in: folder, listing) }
  }

  private mutating func addTrace(_ file: String, in folder: String, _ listing: Listing) {
    let index = job(for: file, in: folder, listing, isWhole: true)
    let (stem, stems) = (jobs[index].stem, listing.stems)
    for name in listing.files where name.hasPrefix(stem) {
      guard let golden = GoldenName(name, stems: stems), golden.stem == stem else { continue }
      attach(Golden(path: Disk.join(folder, name), name: golden, isNamed: false), to: index)
    }
    for trouble in listing.troubles where GoldenName(trouble.name, stems: stems)?.stem == stem {
      fail(Disk.join(folder, trouble.name), trouble.message)
    }
  }

  private mutating func addGolden(
    _ path: String, _ file: String, in folder: String, _ listing: Listing
  ) {
    let name = GoldenName(file, stems: listing.stems)
    let trace = name.flatMap { listing.traces[$0.stem] }
    if !listing.has(file), Disk.kind(of: path) == .absent {
      guard let trace else { return fail(path, Listing.message(.absent)) }
      named[path] = job(for: trace, in: folder, listing, isWhole: false)
      return
    }
    guard let name, let trace else { return others.append(orphan(path, name, folder)) }
    attach(
      Golden(path: path, name: name, isNamed: true), to: job(for: trace, in: folder, listing, isWhole: false))
  }

  private mutating func listing(_ folder: String) throws(ReplayError) -> Listing {
    if let known = listings[folder] { return known }
    let listing = try Listing(folder)
    listings[folder] = listing
    return listing
  }

  private mutating func job(
    for file: String, in folder: String, _ listing: Listing, isWhole: Bool
  ) -> Int {
    let path = Disk.join(folder, file)
    if let known = byPath[path] {
      jobs[known].isWhole = jobs[known].isWhole || isWhole
      return known
    }
    let stem = GoldenName.stem(ofTrace: file) ?? file
    byPath[path] = jobs.count
    jobs.append(
      Job(
        path: path, folder: folder, file: file, stem: stem, isWhole: isWhole,
        twin: listing.twin(of: file, stem)))
    return jobs.count - 1
  }

  private mutating func attach(_ golden: Golden, to job: Int) {
    if let known = jobs[job].goldens.firstIndex(where: { $0.path == golden.path }) {
      jobs[job].goldens[known].isNamed = jobs[job].goldens[known].isNamed || golden.isNamed
    } else {
      jobs[job].goldens.append(golden)
    }
  }

  // MARK: Workspaces

  /// Gives each trace the workspace that it stands in, and the goldens that its lock knows and that are gone.
  mutating func settle(_ workspaces: inout Workspaces) {
    var jobsByFolder: [String: [Int]] = [:]
    for index in jobs.indices { jobsByFolder[jobs[index].folder, default: []].append(index) }
    for (folder, indices) in jobsByFolder {
      let (workspace, key) = workspaces.place(of: folder)
      for index in indices { (jobs[index].workspace, jobs[index].folderKey) = (workspace, key) }
      let entries = key.map { workspaces.entries(of: workspace, in: $0) } ?? []
      if !entries.isEmpty { attachGone(entries, folder) }
    }
    for (path, job) in named where !jobs[job].gone.contains(where: { $0.golden.path == path }) {
      fail(path, Listing.message(.absent))
    }
    for index in jobs.indices {
      jobs[index].goldens.sort { Self.precedes($0, $1) }
      jobs[index].gone.sort { Self.precedes($0.golden, $1.golden) }
    }
    jobs.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private mutating func attachGone(_ entries: [(name: String, MachineParameters)], _ folder: String) {
    guard let listing = listings[folder] else { return }
    let stems = listing.stems
    for (file, parameters) in entries where !listing.has(file) {
      guard let name = GoldenName(file, stems: stems), let trace = listing.traces[name.stem],
        let job = byPath[Disk.join(folder, trace)]
      else { continue }
      let path = Disk.join(folder, file)
      guard jobs[job].isWhole || named[path] != nil else { continue }
      let golden = Golden(path: path, name: name, isNamed: named[path] != nil)
      jobs[job].gone.append(Gone(golden: golden, parameters: parameters))
    }
  }
}
