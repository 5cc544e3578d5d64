import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireStore
import GoldwireTestSupport
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A database keeps ids and cursors, and nothing else of a stream; its errors tell of neither.
@Suite(.timeLimit(.minutes(1))) struct StoreCanaryTests {
  /// Everything that lies in a folder.
  private static func bytes(_ folder: Folder) throws -> [UInt8] {
    let path = folder.path("")
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap { name in
      [UInt8](try Data(contentsOf: URL(filePath: path).appending(path: name)))
    }
  }

  @Test func nothingOfAnEventIsKeptButItsId() async throws {
    let folder = try Folder()
    var canary = Canary()
    let ids = ["order-1", "order-2"]
    let blocks = ids.map { id in
      ": \(canary.next())\nid: \(id)\nevent: \(canary.next())\ndata: \(canary.next())\ndata: \(canary.next())\n\n"
    }
    var request = URLRequest(
      url: try #require(URL(string: "http://127.0.0.1/\(canary.next())?k=\(canary.next())")))
    request.setValue("Bearer \(canary.next())", forHTTPHeaderField: "Authorization")
    let clock = ManualClock()
    let transport = ScriptedTransport([.stream([.text(blocks.joined())]), .status(204)], clock: clock)
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    let reader = EventStreamReader(request, transport: transport, store: store, clock: clock) { _, _ in }
    let task = Task { try await reader.run() }
    await clock.advanceToNextWait()
    #expect(try await task.value == .stopped(.noContent))
    let bytes = try Self.bytes(folder)
    #expect(canary.leaks(in: bytes) == nil)
    // The ids are there, so that the search has looked at what was kept.
    canary.plant(ids[1])
    #expect(canary.leaks(in: bytes) != nil)
  }

  @Test func anErrorTellsOfNoStatementAndNoValue() async throws {
    let folder = try Folder()
    var canary = Canary()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    let secrets = (0..<3).map { _ in canary.next() }
    let statements: [(String, SQLiteValue)] = [
      ("SELECT \(secrets[0]) FROM nowhere WHERE a = ?", .text(secrets[1])),
      ("INSERT INTO once VALUES (?)", .text(secrets[1])),
    ]
    _ = try await store.database.transaction { transaction in
      try await transaction.run("CREATE TABLE once (name TEXT UNIQUE)")
      try await transaction.run("INSERT INTO once VALUES (?)", .text(secrets[1]))
    }
    var errors: [any Error] = []
    for (statement, value) in statements {
      do {
        _ = try await store.database.transaction { try await $0.run(statement, value) }
      } catch { errors.append(error) }
    }
    do { _ = try SQLiteCursorStore(path: folder.path("\(secrets[2])/none/a.db")) } catch {
      errors.append(error)
    }
    #expect(errors.count == 3)
    for error in errors {
      var told = "\(error)|\(String(reflecting: error))|\(error.localizedDescription)|"
      dump(error, to: &told)
      #expect(canary.leaks(in: Array(told.utf8)) == nil)
    }
  }
}
