import GoldwireReplay
import ValidationSimulator

/// What is asked of `validate`.
struct ValidateOptions {
  static let usage = """
    usage: validate [--arm simulator|real|network] [--half develop|held-back] [--scripts N] [--families A,B]
                    [--jobs N] [--json FILE] [--document FILE] [--wrong GRADE] [--keep FOLDER]
    """

  /// Where the runs come from.
  enum Arm: String, CaseIterable {
    /// A world in virtual time.
    case simulator
    /// A client and a server on real sockets, in scaled time.
    case real
    /// The same with a path that loses packets, in true time.
    case network
  }

  /// A word that makes no sense.
  struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  var arm = Arm.simulator
  var half = Half.develop
  /// How many scripts each family has.
  var scripts = 32
  var families: Set<String> = []
  var jobs = 2
  var json: String?
  var document: String?
  /// Lines that are as firm or firmer and were wrong are listed, the first of each run.
  var wrong: Grade?
  /// Where the traces of the runs are left.
  var keep: String?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw Fault("\(word) needs a value, or is none of:\n\(Self.usage)")
      }
      switch word {
      case "--arm": arm = try Self.word(word, value)
      case "--half": half = try Self.word(word, value)
      case "--scripts": scripts = try Self.number(word, value)
      case "--jobs": jobs = try Self.number(word, value)
      case "--families":
        families = Set(value.split(separator: ",").map(String.init))
        let unknown = families.subtracting(FaultFamily.allCases.map(\.rawValue)).sorted()
        guard unknown.isEmpty else { throw Fault("there is no family \(unknown.joined(separator: ", "))") }
      case "--json": json = value
      case "--document": document = value
      case "--wrong": wrong = try Self.word(word, value)
      case "--keep": keep = value
      default: throw Fault("there is no \(word)\n\(Self.usage)")
      }
    }
  }

  /// The plans that are asked for.
  var plans: [SessionPlan] {
    SessionPlan.all(half, scripts: scripts).filter {
      families.isEmpty || families.contains($0.family.rawValue)
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(_ name: String, _ value: String) throws
    -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: value) else {
      throw Fault("\(name) wants one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  private static func number(_ name: String, _ value: String) throws -> Int {
    guard let number = Int(value), number > 0, number < 100_000 else {
      throw Fault("\(name) wants a whole number from 1")
    }
    return number
  }
}
