import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Synchronization
import Testing

/// Work that grows with the lines, not with lines times channels.
@Suite struct ManyTests {
  /// A machine that counts how often it is asked for anything.
  private final class Count: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  private struct Counted: Machine {
    let count: Count
    private(set) var wakeup: Int?
    mutating func handle(_ event: Int, at now: Int, emit: (Int) -> Void) { wakeup = now + event }
    mutating func tick(at now: Int, emit: (Int) -> Void) {
      count.add()
      guard let due = wakeup, now >= due else { return }
      wakeup = nil
      emit(1)
    }
  }

  private struct Adapter: ReplayAdapter {
    let family = Channel.Family.http
    let isPerRequest = true
    let count = Count()
    func makeMachine() -> Counted { Counted(count: count) }
    func read(_ line: TraceLine, at index: Int, memory: inout NoMemory) -> Reading<Int> {
      switch line.event {
      case .httpSend: return .begin(1_000)
      case .recWall, .appSession:
        count.add()
        return .note
      default: return .note
      }
    }
    func line(for action: Int, of machine: Counted, memory: NoMemory) -> GoldenLine { GoldenLine("act") }
    func isPrompt(_ line: TraceLine) -> Bool { false }
  }

  private static func work(_ line: (Int) -> String) throws -> (count: Int, actions: Int) {
    let requests = (1...200).map { "0 http1 http.send req=\($0) try=1 method=GET" }
    let trace = try Written(
      lines: requests + (1...200).map(line) + ["2000 http1 rec.tick", "2000 rec.end why=written"]
    ).trace()
    let adapter = Adapter()
    let replayed = Replayer.replay(
      adapter, trace.lines, unit: .ms, options: ReplayOptions(tick: .recorded))
    return (adapter.count.value, replayed.actions.count)
  }

  @Test func aRecordedTickVisitsOnlyTheRequestsThatAreDue() throws {
    let (count, actions) = try Self.work { "\($0) http1 rec.tick" }
    #expect(actions == 200)
    #expect(count == 200)
  }

  @Test func theStateOfTheAppIsHeardOnceItIsNeeded() throws {
    let wall = try Self.work { "\($0) rec.wall step=1" }
    #expect(wall.actions == 200)
    #expect(wall.count == 400)
    let session = try Self.work { "\($0) app.session session=\($0 % 7 + 1)" }
    #expect(session.count == 600)
  }

  @Test("a session that changed and changed back is another all the same", arguments: [1, 5])
  func sessions(_ last: Int) throws {
    func stop(_ sessions: [String], wait: Int = 1_000) throws -> [String] {
      let trace = Written(
        lines: [
          "0 app.session session=1", "0 http1 http.send req=1 try=1 method=GET",
          "0 http1 http.response req=1 try=1 status=503",
          "0 http1 http.wait req=1 try=2 for=1000 unit=1000000",
        ] + sessions + ["5000 rec.end why=written"])
      return Array(try replayed(trace, .of(.retry)).dropFirst())
    }
    let back = ["100 app.session session=2", "1200 app.session session=\(last)"]
    #expect(try stop(back) == ["1000 http1 r1 stop stale"])
    #expect(try stop(Array(back.dropFirst())) == ["1000 http1 r1 send try=2"])
  }

  @Test func aHoleIsSaidOnceForEachChannelAndEachTimeItWasFound() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws2#1 ws.connect", "1 rec.gap why=lost", "2 rec.gap why=lost",
      "3 ws2#2 ws.connect", "4 rec.gap why=lost", "5 ws2#3 ws.connect", "6 ws2#3 rec.gap why=lost",
      "7 rec.gap why=lost", "9 rec.end why=written")
    #expect(
      try replayed(trace, .quick()) == [
        "1 ws1 unsync", "1 ws2 unsync", "3 ws2#2 sync", "4 ws2 unsync", "5 ws2#3 sync", "6 ws2#3 unsync",
      ])
  }

  @Test func aConnectionMadeLaterKnowsWhereTheAppIs() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "10 ws1#1 ws.end cause=fin dir=in", "20 app.background",
      "30 app.foreground", "40 app.background", "50 ws1#2 ws.connect", "50 ws1#2 ws.open",
      "400 app.foreground", "450 rec.end why=written")
    #expect(try replayed(trace, .quick()) == ["10 ws1#1 ended fin", "400 ws1#2 ping"])
  }

  // MARK: Ticks

  @Test func aTickThatAPauseHeldBackComesAtItsEndWhateverWasFedInIt() throws {
    let trace = Written(
      "0 ws1#1 ws.connect", "18 ws1#1 ws.open", "31 ws1#1 ws.pong dir=in", "32 rec.pause for=8",
      "37 rec.end why=written")
    let parameters = try MachineParameters.of(.heartbeat, "interval=10ms timeout=1s")
    #expect(try replayed(trace, parameters, TickMode("every:7ms")) == ["32 ws1#1 ping"])
    #expect(try replayed(trace, parameters, .exact) == ["32 ws1#1 ping"])
    // A wish of the past is still met at a multiple.
    let late = Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open", "31 ws1#1 ws.pong dir=in", "60 rec.end why=written")
    let fixed = try MachineParameters.of(.heartbeat, "interval=10ms timeout=1s cadence=fixed")
    #expect(try replayed(late, fixed, TickMode("every:7ms")) == ["14 ws1#1 ping", "35 ws1#1 ping"])
  }

  @Test func onlyTheActionItselfIsTakenALittleEarly() throws {
    func actions(_ commit: Int, _ connect: Int) throws -> [String] {
      let trace = Written(
        "0 sse1#1 sse.connect", "0 sse1#1 sse.open status=200 type=text/event-stream",
        "10 sse1#1 sse.event n=1 id=e1 bytes=1", "20 sse1#1 sse.cut cause=eof dir=in partial=0",
        "\(commit) sse1#1 sse.handled n=1 ok=true", "\(commit) sse1#1 sse.commit cursor=e1",
        "\(connect) sse1#2 sse.connect cursor=e1", "500 rec.end why=stopped", source: "tap")
      return try replayed(trace, .of(.stream, "delay=100ms")).suffix(2).map { $0 }
    }
    #expect(
      try actions(119, 120) == ["119 sse1#1 commit cursor=e1", "120 sse1#2 connect cursor=e1"])
    #expect(
      try actions(110, 119) == ["110 sse1#1 commit cursor=e1", "119 sse1#2 connect cursor=e1"])
  }
}
