internal import GoldwireTrace

/// The traces and goldens in one folder, and what is there in their place.
struct Listing {
  /// The names of traces and goldens, in the order of their bytes.
  private(set) var files: [String] = []
  /// The traces' names by their stems.
  private(set) var traces: [String: String] = [:]
  /// Folders below, as names; those that a link leads to apart.
  private(set) var folders: [String] = []
  private(set) var linkedFolders: [String] = []
  /// What cannot be looked at, a message each.
  private(set) var troubles: [(name: String, message: String)] = []
  /// The folder's traces, as names of goldens are read.
  var stems: Set<String> { Set(traces.keys) }

  /// Nothing.
  init() {}

  /// Looks into a folder.
  init(_ folder: String) throws(ReplayError) {
    for entry in try Disk.entries(in: folder) { add(entry) }
  }

  private mutating func add(_ entry: Disk.Entry) {
    let name = entry.name
    let concerns = Self.concerns(name)
    if entry.isGarbled {
      if concerns || entry.kind != .file {
        troubles.append((name, "its name is not UTF-8, so that nothing can name it; rename it"))
      }
      return
    }
    switch entry.kind {
    case .file:
      guard concerns else { return }
      files.append(name)
      guard let stem = GoldenName.stem(ofTrace: name), traces[stem] == nil else { return }
      traces[stem] = name
    case .folder:
      if entry.isLink { linkedFolders.append(name) } else { folders.append(name) }
    case .danglingLink: troubles.append((name, Self.message(.danglingLink)))
    case .other, .closed: if concerns { troubles.append((name, Self.message(entry.kind))) }
    case .absent: return
    }
  }

  /// The other of `stem.jsonl` and `stem.jsonl.gz`, where both are there.
  func twin(of file: String, _ stem: String) -> String? {
    let twin = file.hasSuffix(".gz") ? stem + ".jsonl" : stem + ".jsonl.gz"
    return index(of: twin) != nil ? twin : nil
  }

  /// Whether a file of this name, or something in its place, is there.
  func has(_ name: String) -> Bool {
    index(of: name) != nil || troubles.contains { $0.name == name }
  }

  private func index(of name: String) -> Int? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
    }
    return low < files.count && files[low] == name ? low : nil
  }

  private static func concerns(_ name: String) -> Bool {
    name.hasSuffix(".jsonl") || name.hasSuffix(".jsonl.gz")
  }

  /// What is wrong with what is no file and no folder.
  static func message(_ kind: Disk.Kind) -> String {
    switch kind {
    case .file, .folder: "is no file that can be read"
    case .absent: "no such file or folder"
    case .danglingLink: "is a symbolic link that leads nowhere; restore what it led to, or delete it"
    case .other: "is a pipe, a device or a socket, not a file; take it out of the folder"
    case .closed: "cannot be looked at: permission denied"
    }
  }
}

/// The folders below some folder and itself.
struct FolderWalk {
  /// What was found, in the order of the paths' names, depth first, with folders behind links last.
  private(set) var found: [(path: String, listing: Listing)] = []
  /// Folders that cannot be opened.
  private(set) var errors: [ReplayError] = []
  private var seen: Set<Disk.Identity> = []
  private var linked: [String] = []

  /// Walks; a folder behind a link is entered once, and only where no other path led to it.
  init(_ root: String) {
    descend(root)
    var next = 0
    while next < linked.count {
      descend(linked[next])
      next += 1
    }
  }

  private mutating func descend(_ root: String) {
    var pending = [root]
    while let folder = pending.popLast() {
      if let identity = Disk.Identity(folder), !seen.insert(identity).inserted { continue }
      let listing: Listing
      do throws(ReplayError) { listing = try Listing(folder) } catch {
        errors.append(error)
        continue
      }
      found.append((folder, listing))
      pending += listing.folders.reversed().map { Disk.join(folder, $0) }
      linked += listing.linkedFolders.map { Disk.join(folder, $0) }
    }
  }
}
