import GoldwireTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files that reports of a run are written to: never one that the run reads, and never two reports into one.
package struct ReportTargets {
  /// A flag and its file.
  package typealias Target = (flag: String, path: String)

  private let targets: [Target]
  private let written: String?

  /// Takes the flags that were given with a file; `written` is the file of `--write`, which is no report.
  package init(_ targets: [(flag: String, path: String?)], written: String? = nil) {
    self.targets = targets.compactMap { flag, path in path.map { (flag, $0) } }
    self.written = written == "-" ? nil : written
  }

  /// Refuses what would write over one of the inputs, over a trace, a golden or settings, or twice into one file.
  ///
  /// Links are followed, so that a name which leads to such a file is one.
  package func check(apartFrom inputs: [String]) throws(CommandError) {
    for (index, target) in targets.enumerated() {
      for input in inputs { try Traces.keep(FileIdentity(reading: input), apartFrom: target.path) }
      let place = Self.place(target.path)
      let others = targets[..<index] + (written.map { [("write", $0)] } ?? [])
      if let other = others.first(where: { Self.place($0.path) == place }) {
        throw CommandError(
          "--\(other.flag) and --\(target.flag) both name it", file: target.path,
          remedy: "give each a file of its own")
      }
      try Self.checkFolder(of: target.path)
      guard FileIdentity(reading: target.path) != nil, Self.isInput(place) else { continue }
      throw CommandError(
        "--\(target.flag) would replace it, and by its name it is a trace, a golden or settings",
        file: target.path, remedy: "name another file")
    }
  }

  /// Throws where a file's folder is not there or cannot be written, so that nothing runs in vain.
  private static func checkFolder(of path: String) throws(CommandError) {
    // A device or a pipe needs no folder, and a file behind a link has its own.
    guard absolute(path) == nil || FileIdentity(reading: path) != nil else { return }
    let place = place(path)
    let folder = String(place[..<(place.utf8.lastIndex(of: 0x2F) ?? place.startIndex)])
    guard unsafe access(folder.isEmpty ? "/" : folder, W_OK) != 0 else { return }
    throw CommandError(FileError(path: path, .replace, code: errno))
  }

  /// Whether a file's name is that of what the command reads.
  private static func isInput(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return [".jsonl", ".jsonl.gz", ".pcap", ".pcapng", ".har"].contains { name.hasSuffix($0) }
      || ["goldwire.json", "goldwire.lock"].contains(name)
  }

  /// Where a file is or would be, without links; nothing else has that place.
  private static func place(_ path: String) -> String {
    if let real = absolute(path) { return real }
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return (absolute(".") ?? "") + "/" + path }
    let folder = String(path[..<slash])
    return (absolute(folder.isEmpty ? "/" : folder) ?? folder) + path[slash...]
  }

  private static func absolute(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
