import GoldwireReplay
import GoldwireTrace
import Testing

@testable import GoldwireReplay

/// What a change of a reader's parameters does to the effects of events.
@Suite("An event has one effect: a second one, or none, is a regression") struct CausalEffectTests {
  /// Three events, a cut, and a server that sends the last two again.
  private static func repeating(inForce: String = "\"delay\":\"3s\"") -> RecordedReader {
    var reader = RecordedReader(inForce: inForce)
    reader.connect(0)
    for id in 1...3 { reader.event(id * 1_000, id) }
    reader.cut(3_500)
    reader.connect(6_500, cursor: 3)
    reader.leftOut(6_600, 2)
    reader.leftOut(6_600, 3)
    for id in 4...6 { reader.event(3_000 + id * 1_000, id) }
    return reader
  }

  @Test func aSmallerWindowDeliversTwice() throws {
    let causal = try Self.repeating().asked("window=1", until: 12_000)
    #expect(causal.verdict == .regression)
    let branch = try #require(causal.parts[0].branches.first)
    #expect(branch.kind == .gained)
    #expect(branch.line.short == "6600 sse1#2 deliver n=1 id=e2")
    #expect(branch.line.grade == .observed)
    #expect(causal.told.contains("event e2 has one effect more at 6.600s, on connection 2"))
    // The window of one holds e2 by then, so that e3 comes twice as well, and the handler succeeds as it did.
    #expect(causal.told.contains("2 events in place of 0 delivered more than once"))
    #expect(causal.actions.last?.line.short == "9000 sse1#2 commit cursor=e6")
  }

  @Test func aWindowThatIsLargeEnoughIsTheSame() throws {
    let causal = try Self.repeating().asked("window=2", until: 12_000)
    #expect(causal.verdict == .same)
    #expect(causal.grades == [.observed])
  }

  @Test func aLargerWindowDeliversOnce() throws {
    var reader = RecordedReader(inForce: "\"delay\":\"3s\",\"window\":1")
    reader.connect(0)
    for id in 1...3 { reader.event(id * 1_000, id) }
    reader.cut(3_500)
    reader.connect(6_500, cursor: 3)
    for id in 2...4 { reader.event(4_600 + id * 1_000, id) }
    let causal = try reader.asked("window=100", until: 12_000)
    #expect(causal.verdict == .improvement)
    #expect(causal.told.contains("0 events in place of 2 delivered more than once"))
  }

  /// The server that sends two events again is taken to do so whenever the reader comes back.
  @Test func whatWasSentAgainIsSentAgainLaterToo() throws {
    let causal = try Self.repeating().asked("window=1 delay=4s", until: 12_000)
    #expect(causal.verdict == .regression)
    #expect(causal.parts[0].branches.first?.line.short == "7600 sse1#2 deliver n=1 id=e2")
    let alike = try Self.repeating().asked("delay=4s", until: 12_000)
    #expect(alike.verdict == .same)
    #expect(alike.actions.count { $0.line.action == .skip } == 2)
  }

  /// With another cursor the server would have sent something else: nothing after it is observed.
  @Test func anotherCursorIsNoIdenticalHistory() throws {
    var reader = RecordedReader()
    reader.connect(0)
    reader.event(500, 1, after: 5_000)
    reader.event(5_600, 2)
    reader.cut(6_000)
    // It begins at the first event again, and is cut before it comes to the cursor: left out, the event is the cursor at
    // once, and delivered only when its handler is through.
    reader.connect(9_000, cursor: 2)
    reader.leftOut(9_100, 1)
    reader.cut(9_300)
    reader.connect(12_300, cursor: 1)
    reader.leftOut(12_400, 2)
    reader.event(15_000, 3)
    let causal = try reader.asked("window=1", until: 16_000)
    let last = causal.actions.filter { $0.line.t > 12_300 && $0.line.generation == 3 }
    #expect(!last.isEmpty)
    #expect(last.allSatisfy { ($0.line.grade ?? .observed) < .observed })
    #expect(causal.verdict == .regression)
  }

  /// A handler that failed once and succeeded when the event came again does so in a prediction too.
  @Test func aHandlerThatFailedOnceFailsOnce() throws {
    var reader = RecordedReader()
    reader.connect(0)
    reader.event(1_000, 1)
    reader.event(2_000, 2, ok: false)
    reader.connect(5_000, cursor: 1)
    reader.event(5_100, 2)
    reader.event(9_000, 3)
    let causal = try reader.asked("delay=4s", until: 20_000)
    let delivered = causal.actions.filter { $0.line.action == .deliver }
    #expect(
      delivered.map(\.line.short).dropFirst() == [
        "2000 sse1#1 deliver n=2 id=e2", "6100 sse1#2 deliver n=1 id=e2", "9000 sse1#2 deliver n=2 id=e3",
      ])
    #expect(causal.verdict == .same)
    // Asked sooner, it may fail again.
    let sooner = try reader.asked("delay=1s", until: 20_000)
    #expect(sooner.verdict == .inconclusive)
    #expect(!sooner.actions.contains { $0.line.action == .stop })
    // And one failure fewer is an end.
    let once = try reader.asked("failures=1", until: 20_000)
    #expect(once.verdict == .regression)
    #expect(once.parts[0].branches.first?.line.why == "failures")
  }

  /// An event that comes after the recording's end is late; one without an id that nobody heard is lost.
  @Test func whatIsLateIsNotLost() throws {
    var reader = RecordedReader()
    reader.connect(0)
    reader.event(1_000, 1)
    reader.cut(2_000)
    reader.connect(5_000, cursor: 1)
    reader.event(6_000, 2)
    let late = try reader.asked("delay=8s", until: 9_000)
    #expect(late.verdict == .inconclusive)
    #expect(late.told.contains("what is still to come is not lost"))
    reader.unnamed(7_000)
    reader.event(8_000, 3)
    let lost = try reader.asked("delay=6s", until: 12_000)
    #expect(lost.verdict == .regression)
    #expect(lost.parts[0].branches.map(\.kind) == [.lost])
    #expect(
      lost.told.contains("an event without an id, which was delivered at 7.000s on connection 2, is not"))
  }

  /// Whether other content under an id is the same event is for nobody to know.
  @Test func otherContentIsContested() throws {
    for (inForce, asked) in [("id", "idAndContent"), ("idAndContent", "id")] {
      var reader = RecordedReader(inForce: "\"dedup\":\"\(inForce)\"")
      reader.connect(0)
      reader.event(1_000, 1)
      reader.conflict(2_000, 1, rev: 2)
      if inForce != "id" { reader.line(2_000, "sse.handled n=2 ok=true") }
      reader.event(3_000, 2)
      let causal = try reader.asked("dedup=\(asked)", until: 5_000)
      #expect(causal.verdict == .inconclusive)
      #expect(causal.told.contains("an id came with several contents"))
      #expect(causal.grades == [.observed])
    }
  }

  /// What waits out a refusal in the recording stops for it if the parameters say so.
  @Test func aRefusalThatIsNoLongerWaitedOutIsAnEnd() throws {
    var reader = RecordedReader(inForce: "\"delay\":\"3s\",\"retryStatuses\":true")
    reader.connect(0)
    reader.event(1_000, 1)
    reader.cut(2_000)
    reader.ask(5_000, cursor: 1)
    reader.line(5_100, "sse.open status=503")
    reader.connect(8_100, cursor: 1)
    reader.event(9_000, 2)
    let causal = try reader.asked("retryStatuses=false", until: 12_000)
    #expect(causal.verdict == .regression)
    #expect(causal.told.contains("the reader stops at 5.100s: status"))
  }
}
