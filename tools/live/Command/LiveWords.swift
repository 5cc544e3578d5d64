import Foundation
import GoldwireTrace
import LiveScenarios

/// The words of a command line: `--name value` pairs, and others.
struct LiveWords {
  /// A wrong word.
  struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  let plain: [String]
  private let values: [String: String]

  init(_ arguments: [String]) throws {
    var (plain, values) = ([String](), [String: String]())
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        plain.append(word)
        continue
      }
      guard let value = rest.popFirst() else { throw Fault("\(word) wants a value") }
      values[String(word.dropFirst(2))] = value
    }
    self.plain = plain
    self.values = values
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw Fault("--\(name) is missing") }
    return value
  }

  func optional(_ name: String) -> String? { values[name] }

  func number(_ name: String, _ standard: Int) throws -> Int {
    guard let value = values[name] else { return standard }
    guard let number = Int(value), number >= 0 else { throw Fault("--\(name) wants a whole number") }
    return number
  }

  func span(_ name: String) throws -> Duration {
    guard let span = TimeSpan(try text(name)) else { throw Fault("--\(name) wants a time such as 100ms") }
    return .microseconds(span.microseconds)
  }

  /// The families that are asked for; all of them as a rule.
  func families(_ standard: [LiveFamily] = LiveFamily.allCases) throws -> [LiveFamily] {
    guard let text = values["families"] else { return standard }
    return try text.split(separator: ",").map { name in
      guard let family = LiveFamily(rawValue: String(name)) else { throw Fault("there is no family \(name)") }
      return family
    }
  }

  /// A folder for traces: the one that is named, which stays, or one that is removed by ``FolderLease``.
  func folder() throws -> FolderLease { try FolderLease(values["keep"]) }
}

/// A folder that is removed at the end, unless somebody wants to keep it.
final class FolderLease {
  let path: String
  private let isKept: Bool

  init(_ kept: String?) throws {
    isKept = kept != nil
    path = kept ?? NSTemporaryDirectory() + "goldwire-live-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(atPath: path) }
  }
}
