#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import GoldwireTrace

/// The `goldwire` command.
public enum GoldwireCommand {
  /// The version that headers of traces and `--version` name.
  public static let version = TraceHeader.release

  /// Runs the command with the process's arguments and ends the process with its exit status.
  public static func main() -> Never {
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst()), .process()).rawValue)
  }

  /// Runs the command and gives back its exit status.
  package static func run(_ words: [String], _ console: Console) -> ExitStatus {
    var status = ExitStatus.failed
    do throws(CommandError) {
      status = try perform(words, console)
      try console.output.flush()
    } catch {
      status = .failed
      try? console.output.flush()
      try? console.say(error.description)
    }
    try? console.errors.flush()
    return status
  }

  private static func perform(_ words: [String], _ console: Console) throws(CommandError) -> ExitStatus {
    let invocation: Invocation
    do throws(UsageError) {
      invocation = try Invocation(words)
    } catch {
      throw CommandError(error.description)
    }
    switch invocation {
    case .text(let text):
      try console.output.write(text)
      return .expected
    case .verb(let verb):
      return try verb.run(console)
    }
  }
}
