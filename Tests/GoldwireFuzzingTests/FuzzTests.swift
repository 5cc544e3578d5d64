import GoldwireFuzzing
import Testing

/// The properties that the fuzzer checks, on its seeds and on every input that ever broke one.
@Suite struct FuzzTests {
  @Test("An input that was a finding is none any more", arguments: FuzzCase.all("failures"))
  func failure(_ input: FuzzCase) throws { try input.target.check(input.bytes) }

  @Test("The seeds have every property, cut short too", arguments: FuzzTarget.allCases)
  func seeds(_ target: FuzzTarget) throws {
    let seeds = FuzzCase.all("corpus").filter { $0.target == target }
    #expect(!seeds.isEmpty)
    for seed in seeds {
      let bytes = try seed.bytes
      do throws(FuzzFinding) {
        try target.check(bytes)
        try target.check(Array(bytes.prefix(bytes.count / 2)))
      } catch {
        Issue.record("\(seed.path): \(error)")
      }
    }
  }

  @Test("Nothing at all is an input", arguments: FuzzTarget.allCases)
  func nothing(_ target: FuzzTarget) throws { try target.check([]) }

  @Test("Each folder is a target's, and the script knows each target")
  func folders() throws {
    let targets = FuzzTarget.allCases.map(\.rawValue)
    for kind in ["corpus", "failures", "dictionaries"] {
      let names = FuzzCase.names(kind).map { $0.split(separator: ".").first.map(String.init) ?? $0 }
      #expect(names.filter { !targets.contains($0) } == [])
    }
    #expect(try FuzzCase.text("run").contains("all=(" + targets.joined(separator: " ") + ")"))
  }
}
