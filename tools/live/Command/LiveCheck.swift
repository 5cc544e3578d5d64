import Foundation

/// The commands of `live-check`.
enum LiveCheck {
  static let usage = """
    usage: live-check gate [--seeds N] [--first SEED] [--families A,B] [--jobs N] [--keep FOLDER]
           live-check twice [--seeds N] [--first SEED] [--families A,B] [--keep FOLDER]
           live-check load [--connections N] [--seconds N]
           live-check client heartbeat --url URL --interval TIME --timeout TIME --pings N --tap FILE
    """

  static func run(_ arguments: [String]) async throws {
    guard let verb = arguments.first else { throw LiveWords.Fault(usage) }
    let words = try LiveWords(Array(arguments.dropFirst()))
    switch verb {
    case "gate": try await Gate(words).run()
    case "twice": try await Twice(words).run()
    case "load": try await Load(words).run()
    case "client": try await Client(words).run()
    case "help", "--help", "-h": print(usage)
    default: throw LiveWords.Fault("there is no \(verb)\n" + usage)
    }
  }

  /// Something that is not as it should be.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// Prints a line at once, also into a pipe.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
