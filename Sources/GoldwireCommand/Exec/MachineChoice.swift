package import GoldwireReplay
package import GoldwireTrace

/// What `--machine` names: a built-in machine, or a command that is one.
package enum MachineChoice: Equatable, Sendable {
  /// A built-in machine; nil for all that a trace drives.
  case builtIn(MachineName?)
  /// A command that speaks events and actions on its standard input and output.
  case exec(String)

  /// Starts the command, if it is one, and learns which machine it is.
  package func open() throws(CommandError) -> (name: MachineName?, foreign: ForeignSource?) {
    switch self {
    case .builtIn(let name): return (name, nil)
    case .exec(let command):
      do throws(ReplayError) {
        let child = try ChildProcess(command: command)
        let session = try ForeignSession(child, name: child.name)
        return (session.machine, ForeignSource(session))
      } catch {
        throw CommandError(error)
      }
    }
  }

  /// Whether it is a command.
  package var isExec: Bool { if case .exec = self { true } else { false } }
}

extension Arguments {
  /// The machine that `--machine` names: `heartbeat`, `exec:COMMAND`.
  package func machineChoice() throws(UsageError) -> MachineChoice {
    guard let text = value("machine"), text.hasPrefix("exec:") else { return .builtIn(try word("machine")) }
    let command = String(text.dropFirst(5))
    guard !command.allSatisfy(\.isWhitespace) else {
      throw error("--machine exec: names no command; write it behind the colon, as exec:'python3 client.py'")
    }
    return .exec(command)
  }
}
