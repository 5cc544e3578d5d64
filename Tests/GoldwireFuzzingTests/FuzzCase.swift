import Foundation
import GoldwireFuzzing
import Testing

/// An input that is kept in `tools/fuzz`: a seed, or what was a finding once.
struct FuzzCase: CustomTestStringConvertible, Sendable {
  var target: FuzzTarget
  /// The path below `tools/fuzz`.
  var path: String

  var testDescription: String { path }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "tools/fuzz")

  /// All inputs of one kind, `corpus` or `failures`, sorted.
  static func all(_ kind: String) -> [FuzzCase] {
    FuzzTarget.allCases.flatMap { target in
      names("\(kind)/\(target.rawValue)").map {
        FuzzCase(target: target, path: "\(kind)/\(target.rawValue)/\($0)")
      }
    }
  }

  /// The names in a folder below `tools/fuzz`.
  static func names(_ path: String) -> [String] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  var bytes: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: Self.folder.appending(path: path))) }
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }
}
