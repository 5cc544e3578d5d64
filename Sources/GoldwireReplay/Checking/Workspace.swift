internal import GoldwireTrace

/// The folder of the nearest configuration above a trace, with what its files say.
struct Workspace: Sendable {
  /// The folder's absolute path; nil where there is no configuration.
  var root: String?
  var configuration = Configuration()
  var lock = Lock()
  /// What is wrong with the configuration.
  var error: ReplayError?
  /// What is wrong with the lock.
  var lockError: ReplayError?

  /// The path of the lock.
  var lockPath: String? { root.map { Disk.join($0, Lock.file) } }

  /// Reads the configuration of a folder, and its lock.
  init(root: String) {
    self.root = root
    let path = Disk.join(root, Configuration.file)
    do {
      configuration = try Configuration(bytes: Self.read(path) ?? [])
    } catch {
      self.error = ReplayError(error, path: path)
    }
    let lockPath = Disk.join(root, Lock.file)
    do {
      if let bytes = try Self.read(lockPath) { lock = try Lock(bytes: bytes) }
    } catch {
      lockError = ReplayError(error, path: lockPath)
    }
  }

  /// Nothing above a folder.
  init() {}

  private static func read(_ path: String) throws -> [UInt8]? {
    let kind = Disk.kind(of: path)
    switch kind {
    case .file: return try AtomicFile.read(path)
    case .absent: return nil
    default: throw ReplayError(path: path, Listing.message(kind))
    }
  }

  /// The configuration above a folder; the lock is not looked at.
  static func above(_ folder: String) -> Workspace {
    var workspaces = Workspaces()
    let index = workspaces.place(of: folder).index
    return workspaces.all[index]
  }

  /// What stands in the way of a run, and counts as one error however many traces it keeps from being run.
  func obstacle(writes: Bool) -> ReplayError? { error ?? (writes ? lockError : nil) }
}

/// Workspaces by folder, each read once.
struct Workspaces {
  private var found: [String: Int] = [:]
  /// The goldens of each workspace's lock, by their folder.
  private var entries: [[String: [(name: String, MachineParameters)]]] = []
  /// The workspaces, each once.
  private(set) var all: [Workspace] = []

  /// The workspace of a folder, and the folder's path below its root.
  mutating func place(of folder: String) -> (index: Int, key: String?) {
    let absolute = Disk.absolute(folder)
    let index = index(of: absolute)
    guard let root = all[index].root else { return (index, nil) }
    if absolute == root { return (index, ".") }
    let prefix = root == "/" ? "/" : root + "/"
    return (index, absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : nil)
  }

  /// The goldens that a workspace's lock knows in a folder.
  func entries(of workspace: Int, in folder: String) -> [(name: String, MachineParameters)] {
    entries[workspace][folder] ?? []
  }

  private mutating func index(of absolute: String) -> Int {
    var (passed, current) = ([String](), absolute)
    var index: Int?
    while index == nil {
      if let known = found[current] {
        index = known
        continue
      }
      passed.append(current)
      if Disk.kind(of: Disk.join(current, Configuration.file)) != .absent {
        index = add(Workspace(root: current))
      } else if current == "/" || current.isEmpty || current == "." {
        index = add(Workspace())
      } else {
        current = Disk.split(current).folder
      }
    }
    for folder in passed { found[folder] = index }
    return index ?? 0
  }

  private mutating func add(_ workspace: Workspace) -> Int {
    var byFolder: [String: [(name: String, MachineParameters)]] = [:]
    for (path, parameters) in workspace.lock.entries {
      let (folder, name) = Disk.split(path)
      byFolder[folder, default: []].append((name, parameters))
    }
    entries.append(byFolder)
    all.append(workspace)
    return all.count - 1
  }
}
