internal import GoldwireTrace
internal import Synchronization

/// The pools that configurations name, each read once and only where a question needs it.
final class PoolShelf: Sendable {
  private struct Entry {
    var pool = EvidencePool()
    /// The absolute paths of its traces.
    var members: Set<String> = []
    var error: ReplayError?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The pool that a trace belongs to; nil where none is named for it.
  ///
  /// Throws where one of the pool's traces cannot be read.
  func pool(for path: String, in workspace: Workspace) throws(ReplayError) -> EvidencePool? {
    guard let root = workspace.root, !workspace.configuration.pools.isEmpty else { return nil }
    let trace = Disk.absolute(path)
    for pool in workspace.configuration.pools where pool.holds(trace, below: root) {
      let entry = entries.withLock { entries in
        if let known = entries[root + "\n" + pool.name] { return known }
        let read = Self.read(pool, below: root)
        entries[root + "\n" + pool.name] = read
        return read
      }
      if let error = entry.error { throw error }
      var found = entry.pool
      found.holdsAsked = entry.members.contains(trace)
      return found
    }
    return nil
  }

  private static func read(_ pool: Configuration.Pool, below root: String) -> Entry {
    var entry = Entry()
    for path in pool.paths {
      let place = Disk.join(root, path)
      switch Disk.kind(of: place) {
      case .file: add(place, to: &entry)
      case .folder:
        for (folder, listing) in FolderWalk(place).found {
          for name in listing.files where GoldenName.stem(ofTrace: name) != nil {
            add(Disk.join(folder, name), to: &entry)
          }
        }
      case .absent, .danglingLink, .other, .closed:
        entry.error = pool.missing(path, in: Disk.join(root, Configuration.file))
      }
    }
    return entry
  }

  private static func add(_ path: String, to entry: inout Entry) {
    guard entry.members.insert(Disk.absolute(path)).inserted else { return }
    do { entry.pool.add(try Trace.load(path: path)) } catch { entry.error = ReplayError(error, path: path) }
  }
}

extension Configuration.Pool {
  /// The error of a path that is no trace and no folder.
  func missing(_ path: String, in file: String) -> ReplayError {
    ReplayError(
      path: file, "the pool '\(name)' names '\(path)', which is no trace and no folder; mend its paths")
  }

  /// Whether the trace is one of the pool's, or lies in one of its folders.
  fileprivate func holds(_ trace: String, below root: String) -> Bool {
    paths.contains { path in
      let place = Disk.absolute(Disk.join(root, path))
      return trace == place || trace.hasPrefix(place + "/")
    }
  }
}

extension EvidencePool {
  /// The pool that the nearest configuration above a trace names for it; nil without one.
  ///
  /// Throws where the configuration, or a trace of the pool, cannot be read.
  public static func nearest(above file: String) throws(ReplayError) -> EvidencePool? {
    let workspace = Workspace.above(Disk.split(file).folder)
    if let error = workspace.error { throw error }
    return try PoolShelf().pool(for: file, in: workspace)
  }
}
