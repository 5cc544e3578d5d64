internal import GoldwireTrace

/// The folder of the nearest configuration above a trace, with what its files say.
struct Workspace: Sendable {
  /// The folder's absolute path; nil where there is no configuration.
  var root: String?
  var configuration = Configuration()
  var lock = Lock()
  /// What is wrong with its files.
  var error: ReplayError?

  /// A golden's path below the root.
  func key(_ golden: String) -> String? {
    guard let root else { return nil }
    let (folder, name) = Disk.split(golden)
    let path = Disk.join(Disk.absolute(folder), name)
    let prefix = root == "/" ? "/" : root + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  /// The path of the lock.
  var lockPath: String? { root.map { Disk.join($0, Lock.file) } }

  /// Finds the configuration above a folder, and reads it and its lock.
  static func above(_ folder: String) -> Workspace {
    var absolute = Disk.absolute(folder)
    while true {
      let path = Disk.join(absolute, Configuration.file)
      if Disk.kind(of: path) == .file { return read(absolute, path) }
      if absolute == "/" || absolute.isEmpty || absolute == "." { return Workspace() }
      absolute = Disk.split(absolute).folder
    }
  }

  private static func read(_ root: String, _ path: String) -> Workspace {
    var workspace = Workspace(root: root)
    do {
      workspace.configuration = try Configuration(bytes: AtomicFile.read(path))
    } catch {
      workspace.error = ReplayError(error, path: path)
    }
    let lockPath = Disk.join(root, Lock.file)
    guard Disk.kind(of: lockPath) == .file else { return workspace }
    do {
      workspace.lock = try Lock(bytes: AtomicFile.read(lockPath))
    } catch {
      workspace.error = workspace.error ?? ReplayError(error, path: lockPath)
    }
    return workspace
  }
}

/// Workspaces by folder, each looked for once.
struct Workspaces {
  private var found: [String: Int] = [:]
  /// The workspaces, each once.
  private(set) var all: [Workspace] = []

  /// The index of the workspace of a folder.
  mutating func index(of folder: String) -> Int {
    if let known = found[folder] { return known }
    let workspace = Workspace.above(folder)
    let index: Int
    if let known = all.firstIndex(where: { $0.root == workspace.root }) {
      index = known
    } else {
      index = all.count
      all.append(workspace)
    }
    found[folder] = index
    return index
  }
}
