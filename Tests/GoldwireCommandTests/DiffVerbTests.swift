import Foundation
import GoldwireCommand
import Testing

@Suite struct DiffVerbTests {
  private static let one = """
    {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"ms","clock":"continuous","at":"client"}
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":10,"ch":"ws1","gen":1,"ev":"ws.open","status":101}
    {"t":9000,"ch":"ws1","gen":1,"ev":"ws.end","cause":"reset","dir":"in"}
    {"t":9000,"ev":"rec.end","why":"written"}

    """
  private static let two = one.replacing(#""cause":"reset""#, with: #""cause":"fin""#)
    .replacing(#""t":10,"#, with: #""t":12,"#)
  private static let golden = """
    {"golden":1,"trace":"t.jsonl","machine":"heartbeat","parameters":{"interval":"1s","timeout":"2s"},"mode":"recorded","tick":"exact","unit":"ms"}
    {"t":100,"ch":"ws1","gen":1,"do":"ping"}
    {"t":9000,"do":"end"}

    """

  private func diff(_ one: String, _ two: String, _ words: String...) throws -> TestRun {
    let folder = FileManager.default.temporaryDirectory.appending(path: "diff-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(one.utf8).write(to: URL(filePath: folder + "/one"))
    try Data(two.utf8).write(to: URL(filePath: folder + "/two"))
    let run = TestRun(["diff", folder + "/one", folder + "/two"] + words)
    return TestRun(
      status: run.status, output: run.output.replacing(folder + "/", with: ""),
      errors: run.errors.replacing(folder + "/", with: ""))
  }

  @Test func aDifferenceIsAStatusOfItsOwn() throws {
    #expect(try diff(Self.one, Self.one).status == .expected)
    let run = try diff(Self.one, Self.two)
    #expect(run.status == .differs && run.errors.isEmpty)
    #expect(run.output.hasPrefix("    one "))
    #expect(run.output.hasSuffix("1 × ws.open shifted by +2ms\n1 × ws.end is another\n2 lines the same\n"))
    #expect(try diff(Self.one, Self.two, "--within", "2ms").output.contains("shifted") == false)
  }

  @Test func aMachinesReaderGetsBothLines() throws {
    let run = try diff(Self.one, Self.two, "--json")
    #expect(run.status == .differs)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines[0] == #"{"verdict":"shifted","one":{"line":3,"is":"# + Self.line(3, of: Self.one)
        + #"},"two":{"line":3,"is":"# + Self.line(3, of: Self.two) + "}}")
    #expect(lines[1].hasPrefix(#"{"verdict":"outcome","one":{"line":4,"is":{"t":9000,"#))
    #expect(
      lines[2] == #"{"totals":{"same":2,"shifted":1,"changed":0,"outcome":1},"#
        + #""headers":[],"parts":[],"shift":0,"unit":"ms"}"#)
  }

  private static func line(_ number: Int, of text: String) -> Substring {
    text.split(separator: "\n")[number - 1]
  }

  @Test func goldensAreToldByTheirFirstLine() throws {
    let run = try diff(Self.golden, Self.golden.replacing("100", with: "130"))
    #expect(run.status == .differs && run.output.contains("1 × ping shifted by +30ms"))
    let mixed = try diff(Self.golden, Self.one)
    #expect(mixed.status == .failed && mixed.errors.contains("one is a file of actions, the other a trace"))
  }

  @Test func whatMakesNoSenseIsSaidInALine() throws {
    #expect(TestRun(["diff", "one"]).errors.contains("it wants two files, and 1 are given"))
    #expect(TestRun(["diff", "-", "-"]).errors.contains("only one of both can be standard input"))
    #expect(TestRun(["diff", "nowhere", "-"]).errors == "goldwire: nowhere: no such file or folder\n")
    let channel = try diff(Self.one, Self.two, "--channel", "ws7")
    #expect(channel.status == .failed && channel.errors.contains("neither file has a channel ws7"))
    let broken = try diff(Self.one, Self.one + "rubbish\n")
    #expect(broken.status == .failed && broken.errors.hasPrefix("goldwire: two:6:"))
  }
}
