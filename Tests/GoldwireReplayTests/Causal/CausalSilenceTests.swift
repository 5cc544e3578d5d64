import GoldwireReplay
import GoldwireTrace
import Testing

@testable import GoldwireReplay

/// Readers that give a connection up for its silence.
@Suite("A connection that is given up for a silence has a line, and is an end") struct CausalSilenceTests {
  /// Events at 1 s and 2 s, and from 40 s to 60 s.
  private static var quiet: RecordedReader {
    var reader = RecordedReader()
    reader.connect(0)
    reader.event(1_000, 1)
    reader.event(2_000, 2)
    for id in 3...13 { reader.event(34_000 + id * 2_000, id) }
    return reader
  }

  @Test func whoGivesUpHasALineAndARegression() throws {
    let causal = try Self.quiet.asked("idle=30s", until: 61_000)
    let line = try #require(causal.actions.first { $0.line.action == .close })
    #expect(line.line.short == "32000 sse1#1 close idle")
    #expect(line.line.grade == .observed)
    // It rests on what was heard last.
    #expect(line.lines.map { causal.trace.lines[$0].t } == [2_000])
    #expect(causal.verdict == .regression)
    let branch = try #require(causal.parts[0].branches.first)
    #expect(branch.kind == .gained)
    #expect(branch.line.short == "32000 sse1#1 close idle")
    #expect(
      causal.told.contains(
        "connection 1 is given up at 32.000s, for a silence that the recorded reader lived through"))
    #expect(causal.text().contains("close: idle (observed)"))
    #expect(try Self.quiet.asked("idle=39s", until: 61_000).verdict == .same)
  }

  /// The recording itself has none of these lines, and neither has what is asked of it that changes no end.
  @Test func whatTheRecordedReaderGaveUpIsNoLineOfItsOwn() throws {
    var reader = RecordedReader(inForce: "\"delay\":\"3s\",\"idle\":\"5s\"")
    reader.connect(0)
    reader.event(1_000, 1)
    reader.cut(6_000, "local")
    reader.connect(9_000, cursor: 1)
    reader.event(10_000, 2)
    let same = try reader.asked("failures=9", until: 12_000)
    #expect(same.verdict == .same)
    #expect(!same.actions.contains { $0.line.action == .close })
    // The same silence, given up sooner.
    let sooner = try reader.asked("idle=4s", until: 12_000)
    #expect(sooner.actions.contains { $0.line.short == "5000 sse1#1 close idle" })
    #expect(sooner.verdict != .regression)
    // Nobody knows that the silence was over before the recorded reader was answered again.
    let after = sooner.actions.filter { $0.line.t > 8_000 }
    #expect(!after.isEmpty)
    #expect(after.allSatisfy { ($0.line.grade ?? .observed) <= .assumed })
    #expect(after.first { $0.line.action == .deliver }?.latest ?? 0 >= 10_000)
  }

  /// What was taken elsewhere does not prove what the client heard.
  @Test func aSilenceAtTheServerIsNoProof() throws {
    var trace = try Self.quiet.trace(until: 61_000)
    trace.header.at = .server
    var overrides = ParameterTable()
    try overrides.set(option: "stream.idle=30s")
    let causal = try CausalReplay(
      trace, MachineParameters(asking: .stream, of: trace.header, overrides: overrides))
    #expect(causal.actions.first { $0.line.action == .close }?.line.grade == .assumed)
    #expect(causal.verdict == .inconclusive)
  }
}
