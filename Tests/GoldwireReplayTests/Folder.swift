import Foundation
import GoldwireReplay
import GoldwireTrace

/// A folder that a test fills, and that goes away with it.
final class Folder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("goldwire-" + UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, making the folders on its way.
  func write(_ text: String, to name: String) throws {
    let file = path + "/" + name
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try AtomicFile.write(Array(text.utf8), to: file)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try AtomicFile.read(path + "/" + name), as: UTF8.self)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  /// Replaces text in a file.
  func edit(_ name: String, _ from: String, _ to: String) throws {
    let text = try read(name)
    precondition(text.contains(from), "The text to replace is not there.")
    try write(text.replacing(from, with: to), to: name)
  }

  /// Runs over the folder, or over names in it.
  func run(
    _ names: String..., update: TestOptions.Update = .none, recordsMissing: Bool = false, set: String? = nil,
    isCI: Bool = false, allowsInconclusive: Bool = false, ties: Bool = false, workers: Int = 2
  ) throws -> TestRun {
    var overrides = ParameterTable()
    if let set { try overrides.set(option: set) }
    let paths = names.isEmpty ? [path] : names.map { path + "/" + $0 }
    return try TestRun(
      TestOptions(
        paths: paths, overrides: overrides, update: update, recordsMissing: recordsMissing, ties: ties,
        allowsInconclusive: allowsInconclusive, isCI: isCI, workers: workers))
  }
}

extension Folder {
  /// A folder with the trace of the examples and its golden.
  static func lateClose() throws -> Folder {
    let folder = try Folder()
    try folder.write(OrderTests.late.text, to: "late-close.jsonl")
    try folder.write(GoldenTests.text, to: "late-close.heartbeat.golden.jsonl")
    return folder
  }

  /// A folder with an hour of pings every 30 s as a capture shows it, each answered after 40 ms.
  static func healthyHour(inForce: String? = "\"interval\":\"30s\",\"timeout\":\"10s\"") throws -> Folder {
    let folder = try Folder()
    var lines = ["0 ws1#1 ws.connect", "30000 ws1#1 ws.open status=101"]
    var t = 30_000
    for id in 1...119 {
      t += 30_000_000 + id * 7 % 900
      lines.append("\(t) ws1#1 ws.ping dir=out id=\(id)")
      t += 40_000 + id % 13
      lines.append("\(t) ws1#1 ws.pong dir=in id=\(id)")
    }
    lines.append("3600000000 rec.end why=eof")
    let header = inForce.map { ",\"inForce\":{\"heartbeat\":{\($0)}},\"inForceBy\":\"stated\"" } ?? ""
    try folder.write(
      Written(
        lines: lines, source: "pcap", unit: "us",
        header: ",\"blind\":[\"handler\",\"tick\",\"unit\"]" + header
      )
      .text, to: "hour/trace.jsonl")
    return folder
  }
}
