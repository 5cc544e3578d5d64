import Testing

@testable import GoldwireServer

/// What Python's `int()` and `parse_qs` make of the same texts; the expectations were taken from Python 3.11.
@Suite struct WholeNumberTextTests {
  @Test(arguments: [
    ("0", 0), ("1", 1), (" 1 ", 1), ("+1", 1), ("-1", -1), ("1_0", 10), ("0_1", 1), ("007", 7),
    ("\t2\u{0C}", 2), ("-0", 0),
    ("99999999999999999999999", Int.max), ("-99999999999999999999999", -Int.max),
  ]) func whatIsANumberIsRead(_ text: String, _ value: Int) {
    #expect(WholeNumberText.read(Array(text.utf8)) == (value, true))
  }

  @Test(arguments: [
    "", " ", "+", "-", "_1", "1_", "1__0", "+ 1", "1 0", "1.0", "1e3", "0x1", "a", "--1", "+-1", "²", "1\0",
    "-_1",
  ]) func otherTextsAreNone(_ text: String) {
    #expect(!WholeNumberText.read(Array(text.utf8)).isNumber)
  }

  @Test func bytesAreTakenForLatin1() {
    #expect(WholeNumberText.read([0xA0, 0x31, 0x85]) == (1, true))
    #expect(!WholeNumberText.read([0xB2]).isNumber)
    #expect(WholeNumberText.read([UInt8](repeating: 0x31, count: 4_300)).isNumber)
    #expect(!WholeNumberText.read([UInt8](repeating: 0x31, count: 4_301)).isNumber)
  }

  @Test(
    arguments: [
      ("cut=1", ["1"]), ("cut=1&cut=2", ["1", "2"]), ("cut=1&cut=", ["1"]), ("cut=%31", ["1"]),
      ("%63ut=1", ["1"]),
      ("cut", []), ("", []), ("cut=+1", [" 1"]), ("x=1;cut=1", []), ("cut=1%", ["1%"]),
      ("a=b&cut=01&", ["01"]), ("cut==1", ["=1"]),
    ] as [(String, [String])]) func aQueryIsReadAsAForm(_ query: String, _ values: [String])
  {
    #expect(RequestQuery.values("cut", in: query) == values)
  }
}
