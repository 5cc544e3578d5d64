import Foundation

/// The built command, run as a process of its own.
final class BuiltCommand {
  /// Where the build put it, beside the tests; nil where it is not there.
  static let path: String? = {
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let beside = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let usual = source.deletingLastPathComponent().appending(path: ".build/debug")
    return ([beside] + bundles + [usual]).map { $0.appending(path: "goldwire").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// Starts it; `ignoring` names a signal that it is started with as ignored.
  init(_ words: [String], ignoring signal: String? = nil) throws {
    process.executableURL = URL(filePath: "/bin/sh")
    let trap = signal.map { "trap '' \($0); " } ?? ""
    process.arguments = ["-c", trap + #"exec "$0" "$@""#, Self.path ?? ""] + words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Writes to its standard input, which stays open.
  func write(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: Data(bytes)) }

  /// Ends its standard input.
  func closeInput() throws { try input.fileHandleForWriting.close() }

  /// Waits for the next line on its standard output.
  func outputLine() throws -> String { try Self.line(output) }

  /// Waits for the next line on its standard error.
  func errorLine() throws -> String { try Self.line(errors) }

  /// Sends it a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits until it ends; gives its exit status, or the signal's number negated, and the rest of its output.
  func wait() throws -> (status: Int32, output: String) {
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return (process.terminationStatus * (isSignal ? -1 : 1), String(decoding: rest, as: UTF8.self))
  }

  private static func line(_ pipe: Pipe) throws -> String {
    var bytes: [UInt8] = []
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
