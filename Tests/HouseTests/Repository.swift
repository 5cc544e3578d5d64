import Foundation

/// The working copy that the tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What is made, not kept.
  private static let made: Set<String> = [".build", ".git", ".swiftpm", ".venv", "__pycache__", ".DS_Store"]

  /// The files below a folder, as paths from the root, sorted.
  static func files(_ folder: String = "", suffix: String = "") -> [String] {
    let start = folder.isEmpty ? root : root.appending(path: folder)
    guard
      let walk = FileManager.default.enumerator(
        at: start, includingPropertiesForKeys: [.isRegularFileKey, .isDirectoryKey])
    else { return [] }
    var found: [String] = []
    for case let url as URL in walk {
      let name = url.lastPathComponent
      if made.contains(name) || name.hasPrefix(".build-") {
        walk.skipDescendants()
        continue
      }
      let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false
      if isFile, name.hasSuffix(suffix) { found.append(relative(url)) }
    }
    return found.sorted()
  }

  /// The names in a folder, sorted.
  static func names(_ folder: String) -> [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
    return names.filter { !made.contains($0) }.sorted()
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  static func lines(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  static func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: root.appending(path: path).path)
  }

  static func isFolder(_ path: String) -> Bool {
    (try? root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
  }

  private static func relative(_ url: URL) -> String {
    let base = root.standardizedFileURL.path(percentEncoded: false)
    let path = url.standardizedFileURL.path(percentEncoded: false)
    return String(path.dropFirst(base.hasSuffix("/") ? base.count : base.count + 1))
  }
}
