import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireStore
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A reader with a database: it goes on where it was, whatever it forgot in memory.
@Suite(.timeLimit(.minutes(1))) struct StoredStreamTests {
  private static func blocks(_ ids: [Int]) -> String { ids.map { "id: \($0)\ndata: d\($0)\n\n" }.joined() }

  private static func read(
    _ pieces: [String], into store: SQLiteCursorStore
  ) async throws -> (handled: [String], cursors: [String?], log: [StreamRecord.Result]) {
    let clock = ManualClock()
    let script = pieces.map { ScriptedTransport.Answer.stream([.text($0)]) } + [.status(204)]
    let transport = ScriptedTransport(script, clock: clock)
    let handled = Watched<[String]>([])
    let log = Watched<[StreamRecord.Result]>([])
    let url = URL(string: "http://127.0.0.1/events") ?? URL(filePath: "/")
    let reader = EventStreamReader(
      URLRequest(url: url), transport: transport, store: store, clock: clock,
      log: { record in log.update { $0.append(record.result) } }
    ) { event, transaction in
      try await transaction.run("INSERT INTO seen VALUES (?)", .text(event.lastEventID))
      handled.update { $0.append(event.lastEventID) }
    }
    let task = Task { try await reader.run() }
    for _ in pieces { await clock.advanceToNextWait() }
    #expect(try await task.value == .stopped(.noContent))
    return (
      handled.value, transport.sends.map { $0.request.value(forHTTPHeaderField: "Last-Event-ID") }, log.value
    )
  }

  @Test func anotherRunGoesOnAfterTheLastEvent() async throws {
    let folder = try Folder()
    let first = try SQLiteCursorStore(path: folder.path("a.db"))
    _ = try await first.database.transaction { try await $0.run("CREATE TABLE seen (id TEXT UNIQUE)") }
    let one = try await Self.read([Self.blocks([1, 2])], into: first)
    #expect(one.handled == ["1", "2"])
    let second = try SQLiteCursorStore(path: folder.path("a.db"))
    let two = try await Self.read([Self.blocks([1, 2, 3])], into: second)
    #expect(two.cursors == ["2", "3"])
    #expect(two.handled == ["3"], "a server that begins anew makes no second effect")
    #expect(two.log == [.known, .known, .handled])
  }

  @Test func anIdAloneIsKept() async throws {
    let folder = try Folder()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    _ = try await Self.read(["id: 9\n\n"], into: store)
    #expect(try await SQLiteCursorStore(path: folder.path("a.db")).load().cursor == Array("9".utf8))
  }
}
