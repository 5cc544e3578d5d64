internal import GoldwireTrace

/// What a run looks at: traces with their goldens, and goldens without a trace, in the order of their paths.
struct TestPlan {
  struct Golden: Sendable {
    var path: String
    var name: GoldenName
    /// Whether the caller named this golden.
    var isNamed: Bool
  }

  struct Job: Sendable {
    var path: String
    var folder: String
    var file: String
    var stem: String
    var goldens: [Golden] = []
    /// Whether all goldens of the trace are looked at, so that one can be missing.
    var isWhole: Bool
    var workspace = 0
    /// Another trace whose goldens would have the same names.
    var twin: String?
  }

  private(set) var jobs: [Job] = []
  private(set) var others: [TestResult] = []
  private var byPath: [String: Int] = [:]

  init(_ paths: [String]) {
    for path in paths { add(path) }
    jobs.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for index in jobs.indices { jobs[index].goldens.sort { Self.precedes($0, $1) } }
  }

  private static func precedes(_ one: Golden, _ two: Golden) -> Bool {
    let order = MachineName.allCases
    let (first, second) = (order.firstIndex(of: one.name.machine), order.firstIndex(of: two.name.machine))
    if first != second { return (first ?? 0) < (second ?? 0) }
    return one.path.utf8.lexicographicallyPrecedes(two.path.utf8)
  }

  private mutating func add(_ path: String) {
    switch Disk.kind(of: path) {
    case .folder: addFolder(path)
    case .file: addFile(path)
    case .absent: fail(path, "no such file or folder")
    }
  }

  private mutating func fail(_ path: String, _ message: String) {
    var result = TestResult(trace: path, .error)
    result.explanation = [ReplayError(path: path, message).description]
    others.append(result)
  }

  // MARK: Folders

  private mutating func addFolder(_ path: String) {
    let folders: [(path: String, files: [String])]
    do throws(ReplayError) { folders = try Disk.folders(below: path) } catch {
      return fail(error.path ?? path, error.message)
    }
    var count = 0
    for folder in folders { count += addFiles(folder.files, in: folder.path) }
    guard count == 0 else { return }
    var result = TestResult(trace: "", .empty)
    result.explanation = [
      "\(path): the folder has no traces and no goldens; a run over nothing proves nothing"
    ]
    others.append(result)
  }

  /// Adds the traces and goldens of one folder; gives their number.
  private mutating func addFiles(_ files: [String], in folder: String) -> Int {
    let traces = Self.traces(files)
    let stems = Set(traces.keys)
    var count = 0
    for file in files where GoldenName.stem(ofTrace: file) != nil {
      _ = job(for: file, in: folder, isWhole: true)
      count += 1
    }
    for file in files where file.hasSuffix(GoldenName.suffix) {
      count += 1
      let path = Disk.join(folder, file)
      guard let name = GoldenName(file, stems: stems) else {
        others.append(orphan(path, nil, nil))
        continue
      }
      guard let trace = traces[name.stem] else {
        others.append(orphan(path, name, folder))
        continue
      }
      attach(Golden(path: path, name: name, isNamed: false), to: job(for: trace, in: folder, isWhole: true))
    }
    return count
  }

  /// The traces among some names, by their stems.
  private static func traces(_ files: [String]) -> [String: String] {
    var traces: [String: String] = [:]
    for file in files {
      guard let stem = GoldenName.stem(ofTrace: file), traces[stem] == nil else { continue }
      traces[stem] = file
    }
    return traces
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
    guard file.hasSuffix(GoldenName.suffix) else {
      guard GoldenName.stem(ofTrace: file) != nil else {
        return fail(path, "is no trace: its name must end in .jsonl or .jsonl.gz")
      }
      let index = job(for: file, in: folder, isWhole: true)
      let names = (try? Disk.names(in: folder)) ?? []
      let stems = Set(names.compactMap(GoldenName.stem(ofTrace:)))
      for name in names {
        guard let golden = GoldenName(name, stems: stems), golden.stem == jobs[index].stem else { continue }
        attach(Golden(path: Disk.join(folder, name), name: golden, isNamed: false), to: index)
      }
      return
    }
    let names = (try? Disk.names(in: folder)) ?? []
    guard let name = GoldenName(file, stems: Set(names.compactMap(GoldenName.stem(ofTrace:)))) else {
      return others.append(orphan(path, nil, nil))
    }
    guard let trace = names.first(where: { GoldenName.stem(ofTrace: $0) == name.stem }) else {
      return others.append(orphan(path, name, folder))
    }
    attach(Golden(path: path, name: name, isNamed: true), to: job(for: trace, in: folder, isWhole: false))
  }

  private mutating func job(for file: String, in folder: String, isWhole: Bool) -> Int {
    let path = Disk.join(folder, file)
    if let known = byPath[path] {
      jobs[known].isWhole = jobs[known].isWhole || isWhole
      return known
    }
    let stem = GoldenName.stem(ofTrace: file) ?? file
    byPath[path] = jobs.count
    let twin = file.hasSuffix(".gz") ? stem + ".jsonl" : stem + ".jsonl.gz"
    jobs.append(
      Job(
        path: path, folder: folder, file: file, stem: stem, isWhole: isWhole,
        twin: Disk.kind(of: Disk.join(folder, twin)) == .file ? twin : nil))
    return jobs.count - 1
  }

  private mutating func attach(_ golden: Golden, to job: Int) {
    if let known = jobs[job].goldens.firstIndex(where: { $0.path == golden.path }) {
      jobs[job].goldens[known].isNamed = jobs[job].goldens[known].isNamed || golden.isNamed
    } else {
      jobs[job].goldens.append(golden)
    }
  }

  /// Gives each trace the workspace that it stands in.
  mutating func settle(_ workspaces: inout Workspaces) {
    for index in jobs.indices { jobs[index].workspace = workspaces.index(of: jobs[index].folder) }
  }
}

extension String {
  /// The text as a shell takes it for one word.
  var quoted: String {
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
        || [0x2D, 0x2E, 0x2F, 0x5F, 0x2B, 0x3D, 0x2C, 0x40].contains(byte)
    }
    return isPlain && !isEmpty
      ? self
      : "'"
        + split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
