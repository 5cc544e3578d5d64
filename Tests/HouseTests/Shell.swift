import Foundation

/// Runs commands as a reader of the README would: in a folder of their own, with the built command in the path.
struct Shell {
  /// A folder that is removed when the shell is no longer needed.
  let folder: URL
  private var status: Int32 = 0

  /// Where the build put the command: beside the tests themselves.
  static let executables: URL = {
    let name = "goldwire"
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let beside = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let usual = Repository.root.appending(path: ".build/debug")
    return ([beside] + bundles + [usual]).first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: name).path)
    } ?? usual
  }()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["traces", "docs"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: name), withDestinationURL: Repository.root.appending(path: name))
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Runs a command and gives back what it printed on both streams; `$?` is the status of the one before.
  mutating func run(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec 2>&1; (exit \(status)); \(command)"]
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "\(Self.executables.path):/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]
    process.standardInput = FileHandle.nullDevice
    // A file, not a pipe: nothing has to be read while the command runs.
    let printed = folder.appending(path: ".printed")
    try Data().write(to: printed)
    process.standardOutput = try FileHandle(forWritingTo: printed)
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    defer { try? FileManager.default.removeItem(at: printed) }
    return String(decoding: try Data(contentsOf: printed), as: UTF8.self)
  }
}
