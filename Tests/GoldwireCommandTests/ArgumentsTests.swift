import GoldwireCommand
import GoldwireTrace
import Testing

@Suite struct ArgumentsTests {
  static let flags: [Flag] = [
    .read, .write, .value("channel", repeats: true), .value("from"), .on("split"), .optional("update"),
    .value("count"), .value("unit"),
  ]

  static func parse(_ words: String...) throws(UsageError) -> Arguments {
    try Arguments(words, verb: "show", flags: flags)
  }

  @Test(arguments: [["-r", "a"], ["-ra"], ["--read", "a"], ["--read=a"]])
  func aValueIsSpelledInFourWays(_ words: [String]) throws {
    let arguments = try Arguments(words, verb: "show", flags: Self.flags)
    #expect(arguments.value("read") == "a")
    #expect(arguments.operands == [])
  }

  @Test func flagsAndOperandsMayBeMixed() throws {
    let arguments = try Self.parse("tcp", "--split", "port", "-w", "-", "80")
    #expect(arguments.operands == ["tcp", "port", "80"])
    #expect(arguments.has("split"))
    #expect(arguments.value("write") == "-")
  }

  @Test func twoDashesEndTheFlags() throws {
    let arguments = try Self.parse("--split", "--", "--read", "-w")
    #expect(arguments.operands == ["--read", "-w"])
    #expect(!arguments.has("read"))
  }

  @Test func aDashAloneIsAnOperand() throws { #expect(try Self.parse("-").operands == ["-"]) }

  @Test func aRepeatedFlagKeepsItsOrder() throws {
    #expect(try Self.parse("--channel", "b", "--channel=a").values("channel") == ["b", "a"])
  }

  @Test func anOptionalValueStandsOnlyAfterTheSign() throws {
    #expect(try Self.parse("--update", "outcome").value("update") == "")
    #expect(try Self.parse("--update=outcome").value("update") == "outcome")
    #expect(try Self.parse("x").value("update") == nil)
  }

  struct Wrong: CustomTestStringConvertible {
    var words: [String]
    var message: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., says message: String) { (self.words, self.message) = (words, message) }
  }

  @Test(arguments: [
    Wrong("--spilt", says: "unknown flag '--spilt'; did you mean '--split'?"),
    Wrong("--chan", "ws1", says: "unknown flag '--chan'; did you mean '--channel'?"),
    Wrong("--zzzzzz", says: "unknown flag '--zzzzzz'"),
    Wrong("-split", says: "unknown flag '-s'; did you mean '--split'?"),
    Wrong("-q", says: "unknown flag '-q'"),
    Wrong("-r=a", says: "'-r=a' has a '='; write '-r a'"),
    Wrong("-r", says: "'-r' needs a value after it"),
    Wrong("-r", "-w", "b", says: "'-r' needs a value after it"),
    Wrong("--read=", says: "'--read' needs a value after it"),
    Wrong("-r", "a", "--read", "b", says: "'--read' is given twice; keep one"),
    Wrong("--split", "--split", says: "'--split' is given twice; keep one"),
    Wrong("--split=yes", says: "'--split' takes no value; leave out what follows '='"),
    Wrong("--update=", says: "'--update=' has no value; leave out '=' or write one"),
  ])
  func whatIsWrongIsNamed(_ wrong: Wrong) {
    #expect(throws: UsageError(wrong.message, verb: "show")) {
      try Arguments(wrong.words, verb: "show", flags: Self.flags)
    }
  }

  @Test func lengthsOfTimeNeedASuffix() throws {
    #expect(try Self.parse("--from", "250ms").span("from") == TimeSpan(microseconds: 250_000))
    #expect(try Self.parse().span("from") == nil)
    #expect(throws: UsageError("--from 30 has no unit; write 30s or 30ms", verb: "show")) {
      try Self.parse("--from", "30").span("from")
    }
    #expect(throws: UsageError.self) { try Self.parse("--from", "1.5s").span("from") }
    #expect(throws: UsageError.self) { try Self.parse("--from", "99999999999999999h").span("from") }
  }

  @Test func numbersAreWhole() throws {
    #expect(try Self.parse("--count", "12").number("count") == 12)
    #expect(throws: UsageError("--count wants a whole number of at least 1", verb: "show")) {
      try Self.parse("--count", "-1").number("count", atLeast: 1)
    }
    for text in ["-1", "+1", "1e3", "1.0", "٣", "99999999999999999999", "0"] {
      #expect(throws: UsageError.self) { try Self.parse("--count", text).number("count", atLeast: 1) }
    }
  }

  @Test func wordsAreOfAClosedSet() throws {
    #expect(try Self.parse("--unit=ms").word("unit", as: Unit.self) == .ms)
    #expect(throws: UsageError("--unit wants one of us, ms; did you mean 'ms'?", verb: "show")) {
      try Self.parse("--unit=mss").word("unit", as: Unit.self)
    }
  }

  @Test func channelsAreSpelledAsInATrace() throws {
    let arguments = try Self.parse("--channel", "ws1,http12", "--channel", "ws1")
    #expect(try arguments.channels() == [Channel(.ws, 1), Channel(.http, 12)])
    for text in ["ws", "1", "ws01", "ws0", "ws1,", "", "wss1", "ws1 ", "ws99999999999999999999"] {
      #expect(throws: UsageError.self, "\(text)") {
        try Arguments(["--channel=\(text)"], verb: "show", flags: Self.flags).channels()
      }
    }
  }

  @Test func oneFileIsReadFromAFlagOrAnOperand() throws {
    #expect(try Self.parse("-r", "a").input() == "a")
    #expect(try Self.parse("a").input() == "a")
    #expect(throws: UsageError.self) { try Self.parse().input() }
    #expect(throws: UsageError.self) { try Self.parse("a", "b").input() }
    #expect(throws: UsageError.self) { try Self.parse("-r", "a", "b").input() }
  }

  @Test func helpAndJSONAreEverywhere() throws {
    #expect(try Self.parse("--json").wantsJSON)
    #expect(try !Self.parse().wantsJSON)
  }
}
