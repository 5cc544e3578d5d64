import Foundation

/// A folder of a test's own, which goes with it.
final class Folder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func path(_ name: String) -> String { url.appending(path: name).path }
}
