public import GoldwireTrace

/// The audit of files and folders: traces, goldens, configurations and locks, each by its own rules.
///
/// A file's name tells what it is: `goldwire.json`, `goldwire.lock`, what ends in `.golden.jsonl`; every other is a trace.
/// In a folder and those below it other files than these and `.jsonl` or `.jsonl.gz` are passed over.
public struct AuditRun: Equatable, Sendable {
  /// What was found in one file.
  public struct File: Equatable, Sendable {
    /// Its path as it was named.
    public var path: String
    /// What it holds that it should not.
    public var findings: [AuditFinding] = []
    /// Why it could not be looked at.
    public var error: ReplayError?
  }

  /// The files in order.
  public private(set) var files: [File] = []
  private var workspaces = Workspaces()

  /// Looks at files and folders.
  public init(_ paths: [String]) {
    for path in paths {
      switch path == "-" ? .file : Disk.kind(of: path) {
      case .file: look(path)
      case .folder: lookBelow(path)
      case .absent, .danglingLink, .other, .closed:
        fail(path, Listing.message(Disk.kind(of: path)))
      }
    }
  }

  /// Two runs are equal if they found the same.
  public static func == (left: AuditRun, right: AuditRun) -> Bool { left.files == right.files }

  /// How many things were found.
  public var count: Int { files.reduce(0) { $0 + $1.findings.count } }

  /// How the run ends: something that cannot be looked at weighs more than a finding.
  public var status: TestStatus {
    files.contains { $0.error != nil } ? .failed : count > 0 ? .differs : .expected
  }

  private mutating func lookBelow(_ folder: String) {
    let before = files.count
    let walk = FolderWalk(folder)
    for error in walk.errors { files.append(File(path: error.path ?? folder, error: error)) }
    for (path, listing) in walk.found {
      for name in listing.files { look(Disk.join(path, name)) }
      for name in [Configuration.file, Lock.file] {
        let file = Disk.join(path, name)
        if Disk.kind(of: file) == .file { look(file) }
      }
      for (name, message) in listing.troubles { fail(Disk.join(path, name), message) }
    }
    if files.count == before { fail(folder, "no trace and no golden is in it") }
  }

  private mutating func fail(_ path: String, _ message: String) {
    files.append(File(path: path, error: ReplayError(path: path, message)))
  }

  /// A path of a pool that is not there; nil where all are.
  private static func lost(_ bytes: [UInt8], _ file: String, below folder: String) -> ReplayError? {
    for pool in (try? Configuration(bytes: bytes))?.pools ?? [] {
      for path in pool.paths where ![.file, .folder].contains(Disk.kind(of: Disk.join(folder, path))) {
        return pool.missing(path, in: file)
      }
    }
    return nil
  }

  private mutating func look(_ path: String) {
    var file = File(path: path)
    let (folder, name) = Disk.split(path)
    do throws(FileError) {
      switch name {
      case Configuration.file:
        let bytes = try AtomicFile.read(path)
        file.findings = GoldenAudit.findings(inConfiguration: bytes)
        file.error = Self.lost(bytes, path, below: folder)
      case Lock.file:
        file.findings = GoldenAudit.findings(inLock: try AtomicFile.read(path)) {
          Disk.kind(of: Disk.join(folder, $0)) == .file
        }
      case _ where name.hasSuffix(GoldenName.suffix):
        let sets = workspaces.sets(above: folder)
        file.findings = GoldenAudit.findings(inGolden: try AtomicFile.read(path), file: name, sets: sets)
      default: file.findings = try TraceAudit.findings(in: ByteInput(path: path))
      }
    } catch {
      file.error = ReplayError(error, path: path)
    }
    files.append(file)
  }
}

extension Workspaces {
  /// The names of the sets in the configuration above a folder.
  fileprivate mutating func sets(above folder: String) -> Set<String> {
    let workspace = place(of: folder).index
    return Set(all[workspace].configuration.sets.map(\.name))
  }
}
