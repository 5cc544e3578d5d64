/// A flag that a verb understands.
package struct Flag: Equatable, Sendable {
  /// What stands after a flag.
  package enum Argument: Equatable, Sendable {
    /// Nothing: `--split`.
    case none
    /// A value: `--channel ws1`, `--channel=ws1`.
    case value
    /// A value only with `=`: `--update`, `--update=outcome`.
    case optional
  }

  /// The long name without its dashes.
  package let name: String
  /// The short name without its dash.
  package let short: Character?
  /// What stands after it.
  package let argument: Argument
  /// Whether it may be given more than once.
  package let repeats: Bool

  /// A flag that is there or not.
  package static func on(_ name: String, short: Character? = nil) -> Flag {
    Flag(name: name, short: short, argument: .none, repeats: false)
  }

  /// A flag with a value.
  package static func value(_ name: String, short: Character? = nil, repeats: Bool = false) -> Flag {
    Flag(name: name, short: short, argument: .value, repeats: repeats)
  }

  /// A flag that can have a value after `=`.
  package static func optional(_ name: String) -> Flag {
    Flag(name: name, short: nil, argument: .optional, repeats: false)
  }

  /// `-r FILE`, `--read FILE`.
  package static let read = value("read", short: "r")
  /// `-w FILE`, `--write FILE`.
  package static let write = value("write", short: "w")
  /// `--report FILE.html`.
  package static let report = value("report")
  /// `--json`, which every verb has.
  package static let json = on("json")
  /// `--help`, which every verb has.
  package static let help = on("help", short: "h")

  /// How a message spells it: `-r`, `--channel`.
  package var spelling: String { short.map { "-\($0)" } ?? "--\(name)" }
}
