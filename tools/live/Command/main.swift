import Foundation

// What the drivers do on real sockets; see tools/live/README.md.
do {
  try await LiveCheck.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("live-check: \(error)\n".utf8))
  exit(error is LiveWords.Fault ? 2 : 1)
}
