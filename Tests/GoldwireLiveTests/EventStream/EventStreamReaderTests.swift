import GoldwireLive
import GoldwireMachines
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Testing

/// What is handled, in which order, and from where a stream goes on.
@Suite(.timeLimit(.minutes(1))) struct EventStreamReaderTests {
  @Test func aCutStreamGoesOnAfterTheLastEventThatWasHandled() async throws {
    let bench = try StreamBench([.events(blocks(1)), .events(blocks(2, 3)), .over])
    #expect(try await bench.run() == .stopped(.noContent))
    #expect(bench.events == ["1=d1", "2=d2", "3=d3"])
    #expect(bench.cursors == [nil, "1", "3"])
    #expect(bench.instants == [0, 3_000, 6_000])
    #expect(await bench.store.cursor == "3")
    #expect(bench.leftovers == 0)
  }

  @Test func aStoredCursorIsSentWithTheFirstRequest() async throws {
    let bench = try StreamBench([.events(blocks(2, 3)), .over], cursor: "1")
    _ = try await bench.run()
    #expect(bench.events == ["2=d2", "3=d3"])
    #expect(bench.cursors == ["1", "3"])
  }

  @Test func anUnfinishedEventIsDroppedAndComesAgain() async throws {
    let bench = try StreamBench([
      .stream([.text(blocks(1) + "id: 2\ndata: d"), .cut(.reset)]), .events(blocks(2)), .over,
    ])
    _ = try await bench.run()
    #expect(bench.events == ["1=d1", "2=d2"])
    #expect(bench.cursors == [nil, "1", "2"])
  }

  @Test func aHandlerThatFailsLeavesTheCursor() async throws {
    let bench = try StreamBench([.events(blocks(1, 2, 3)), .events(blocks(2, 3)), .over]) { event, call in
      if event.lastEventID == "2", call == 2 { throw StreamBench.Refused() }
    }
    _ = try await bench.run()
    #expect(bench.events == ["1=d1", "2=d2", "3=d3"])
    #expect(bench.cursors == [nil, "1", "3"], "what follows the failure was not handled before it")
    #expect(bench.transport.cancelled >= 1, "the connection was given up")
    #expect(
      bench.log == [
        StreamRecord(generation: 1, n: 1, event: 1, result: .handled, cursor: 1),
        StreamRecord(generation: 1, n: 2, event: 2, result: .failed, cursor: 1),
        StreamRecord(generation: 2, n: 1, event: 2, result: .handled, cursor: 2),
        StreamRecord(generation: 2, n: 2, event: 3, result: .handled, cursor: 3),
      ])
  }

  @Test func theFifthFailureOfOneEventStops() async throws {
    let answers = [ScriptedTransport.Answer](repeating: .events(blocks(1)), count: 6)
    let bench = try StreamBench(answers) { _, _ in throw StreamBench.Refused() }
    #expect(try await bench.run() == .stopped(.failures))
    #expect(bench.calls == 5)
    #expect(await bench.store.cursor == "")
    #expect(bench.leftovers == 0)
  }

  @Test func anEventThatComesAgainHasNoSecondEffect() async throws {
    let bench = try StreamBench([.events(blocks(1, 2)), .events(blocks(1, 2, 3)), .over])
    _ = try await bench.run()
    #expect(bench.events == ["1=d1", "2=d2", "3=d3"])
    #expect(bench.log.map(\.result) == [.handled, .handled, .known, .known, .handled])
  }

  @Test func anIdWithOtherContentIsAConflictOrAnotherEvent() async throws {
    let script: [ScriptedTransport.Answer] = [.events("id: 1\ndata: a\n\nid: 1\ndata: b\n\n"), .over]
    let byID = try StreamBench(script)
    _ = try await byID.run()
    #expect(byID.events == ["1=a"])
    #expect(byID.log.map(\.result) == [.handled, .conflict])
    let parameters = try EventStream.Parameters(unit: .microseconds, dedup: .idAndContent)
    let byContent = try StreamBench(script, parameters: parameters)
    _ = try await byContent.run()
    #expect(byContent.events == ["1=a", "1=b"])
  }

  @Test func eventsWithoutAnIdAreNotToldFromOneAnother() async throws {
    let bench = try StreamBench([.events("id: 7\ndata: a\n\ndata: b\n\ndata: b\n\n"), .over])
    _ = try await bench.run()
    #expect(bench.events == ["7=a", "-=b", "-=b"])
    #expect(bench.taken.map(\.lastEventID) == ["7", "7", "7"])
  }

  @Test func anIdAloneMovesTheCursorAndAnEmptyOneClearsIt() async throws {
    let bench = try StreamBench([
      .events("id: p0\ndata:\n\nid: 5\n\n: hb\n\ndata: {}\n\n"), .events("id\ndata: x\n\n"), .over,
    ])
    _ = try await bench.run()
    #expect(bench.events == ["p0=", "-={}", "=x"])
    #expect(bench.cursors == [nil, "5", nil])
  }

  @Test(
    arguments: [
      (204, "text/event-stream", EventStream.Stop.noContent), (500, "text/event-stream", .status),
      (503, "text/event-stream", .status), (200, "text/html", .type), (301, "text/event-stream", .status),
    ] as [(Int, String, EventStream.Stop)])
  func otherAnswersStopForGood(_ status: Int, _ type: String, _ why: EventStream.Stop) async throws {
    let answer = ScriptedTransport.Answer.status(
      status, fields: [(name: "Content-Type", value: type)], body: blocks(1))
    let bench = try StreamBench([answer])
    #expect(try await bench.run() == .stopped(why))
    #expect(bench.events == [])
    #expect(bench.transport.sends.count == 1)
    #expect(bench.leftovers == 0)
  }

  @Test func refusalsAreWaitedOutByOption() async throws {
    let parameters = try EventStream.Parameters(unit: .microseconds, retryStatuses: true)
    let bench = try StreamBench(
      [.status(503, retryAfter: "5"), .status(429), .events(blocks(1)), .over], parameters: parameters)
    _ = try await bench.run()
    #expect(bench.instants == [0, 5_000, 8_000, 11_000])
  }

  @Test func networkErrorsReconnectAfterTheDelayThatTheServerSets() async throws {
    let bench = try StreamBench([
      .events("retry: 1500\n\n" + blocks(1)), .failure(.refused), .events("retry: 0\n" + blocks(2)),
      .events("retry: 99999999999999999999\n"), .over,
    ])
    _ = try await bench.run()
    #expect(bench.instants == [0, 1_500, 3_000, 3_100, 63_100])
  }

  @Test func theSameEventsComeOutOfEverySplit() async throws {
    let text = "\u{FEFF}id: 1\r\ndata: 你好\r\n\r\nid: 2\rdata: b\r\r: life\nid: 3\ndata: c1\ndata: c2\n\n"
    let bytes = Array(text.utf8)
    let expected = ["1=你好", "2=b", "3=c1\nc2"]
    for cut in 0...bytes.count {
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])].map { ScriptedTransport.Piece.bytes($0) }
      let bench = try StreamBench([.stream(pieces), .over])
      _ = try await bench.run()
      #expect(bench.events == expected, "cut at \(cut)")
    }
    let single = try StreamBench([.stream(bytes.map { .bytes([$0]) }), .over])
    _ = try await single.run()
    #expect(single.events == expected)
  }

  @Test func aSecondRunAtTheSameTimeIsRefused() async throws {
    let bench = try StreamBench([.stream([.hold]), .over])
    let task = Task { try await bench.reader.run() }
    try await bench.transport.held()
    await #expect(throws: AlreadyUnderWay()) { try await bench.reader.run() }
    task.cancel()
    _ = try? await task.value
    #expect(try await bench.reader.run() == .stopped(.noContent), "afterwards it may run again")
  }
}
