import GoldwireCommand
import Testing

@Suite struct SpellingTests {
  private let verbs = ["record", "cut", "show", "test", "replay", "conform"]

  @Test func aNearWordIsFound() {
    for (typed, meant) in [
      "recrod": "record", "shwo": "show", "tst": "test", "reply": "replay", "con": "conform", "cutt": "cut",
    ] { #expect(Spelling.nearest(typed, among: verbs) == meant, "\(typed)") }
  }

  @Test(arguments: ["", "x", "banana", "sh0wcase", "é"]) func aFarOneIsNot(_ typed: String) {
    #expect(Spelling.nearest(typed, among: verbs) == nil)
  }

  @Test func aLongWordCostsLittle() {
    #expect(Spelling.nearest(String(repeating: "r", count: 100_000), among: verbs) == nil)
  }
}
