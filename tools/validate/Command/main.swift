import Foundation
import ValidationReal

// How right predictions are; see docs/accuracy.md.
do {
  try await Validate.run(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("validate: \(error)\n".utf8))
  exit(error is ValidateOptions.Fault || error is NetworkUnavailable ? 2 : 1)
}
