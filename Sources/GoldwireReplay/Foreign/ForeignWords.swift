internal import GoldwireMachines
internal import GoldwireTrace

/// The closed vocabulary of the actions that a machine of another language may say: `docs/machines.md`.
enum ForeignWords {
  /// The keys of an action beside `do`; nil for one that the machine does not have.
  private static func keys(_ action: ActionWord, of machine: MachineName) -> [String]? {
    switch (machine, action) {
    case (.heartbeat, .ping): ["gen"]
    case (.heartbeat, .close): ["gen", "why"]
    case (.heartbeat, .ended): ["gen", "why", "code"]
    case (.retry, .send): ["try"]
    case (.retry, .wait): ["try", "for"]
    case (.retry, .stop): ["why"]
    case (.stream, .connect), (.stream, .commit): ["gen", "cursor"]
    case (.stream, .deliver), (.stream, .skip): ["gen", "n", "id"]
    case (.stream, .stop), (.stream, .note): ["gen", "why"]
    default: nil
    }
  }

  /// Throws for a word or a key that the machine's goldens do not have, and for a number out of its range.
  static func hold(_ line: GoldenLine, _ value: JSONValue, to machine: MachineName) throws(TraceError) {
    guard let keys = keys(line.action, of: machine) else {
      throw (value["do"] ?? value).error(
        "a \(machine.rawValue) has no such action; docs/machines.md has them")
    }
    for member in try value.members() where member.key != "do" && !keys.contains(member.key) {
      throw TraceError(
        line: 1, column: member.column,
        "this action has no such key; expected \(keys.joined(separator: ", "))")
    }
    for (key, number) in [("gen", line.generation), ("try", line.attempt), ("n", line.n)] {
      if let number, number < 1 { throw (value[key] ?? value).error("expected a number from 1") }
    }
    if let wait = line.wait, wait < 0 { throw (value["for"] ?? value).error("expected a wait of 0 or more") }
    if let why = line.why, machine == .heartbeat, Heartbeat.Cause(rawValue: why.description) == nil {
      throw (value["why"] ?? value).error("expected a cause that goldens have, such as pongTimeout")
    }
  }
}
