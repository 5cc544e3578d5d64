import Foundation
import GoldwireLive
import GoldwireStore
import Testing

/// Effect, cursor and the handler's own writes are kept together, or not at all.
@Suite(.timeLimit(.minutes(1))) struct SQLiteCursorStoreTests {
  struct Refused: Error {}

  private static func effect(_ id: String, _ content: UInt64 = 1, byContent: Bool = false) -> StoredEffect {
    StoredEffect(id: Array(id.utf8), content: content, cursor: Array(id.utf8), isToldByContent: byContent)
  }

  private static func orders(_ store: SQLiteCursorStore) async throws -> [SQLiteValue] {
    try await store.database.transaction { transaction in
      try await transaction.run("SELECT name FROM orders ORDER BY rowid").map { $0[0] }
    }
  }

  private static func table(_ store: SQLiteCursorStore) async throws {
    _ = try await store.database.transaction { transaction in
      try await transaction.run("CREATE TABLE IF NOT EXISTS orders (name TEXT NOT NULL UNIQUE)")
    }
  }

  @Test func whatAHandlerWritesIsKeptWithTheCursor() async throws {
    let folder = try Folder()
    let key: UInt64
    do {
      let store = try SQLiteCursorStore(path: folder.path("a.db"))
      key = try await store.load().digestKey
      try await Self.table(store)
      let outcome = try await store.handle(Self.effect("7")) { transaction in
        try await transaction.run("INSERT INTO orders VALUES (?)", "tea")
      }
      #expect(outcome == .handled)
    }
    let again = try SQLiteCursorStore(path: folder.path("a.db"))
    #expect(try await again.load() == StoredCursor(cursor: Array("7".utf8), digestKey: key))
    #expect(try await Self.orders(again) == ["tea"])
    let outcome = try await again.handle(Self.effect("7")) { _ in throw Refused() }
    #expect(outcome == .known(isConflict: false), "its handler does not run again")
  }

  @Test func aHandlerThatFailsKeepsNothing() async throws {
    let folder = try Folder()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    try await Self.table(store)
    await #expect(throws: Refused.self) {
      try await store.handle(Self.effect("7")) { transaction in
        try await transaction.run("INSERT INTO orders VALUES (?)", "tea")
        throw Refused()
      }
    }
    #expect(try await store.load().cursor == [])
    #expect(try await Self.orders(store) == [])
    let outcome = try await store.handle(Self.effect("7")) { transaction in
      try await transaction.run("INSERT INTO orders VALUES (?)", "tea")
    }
    #expect(outcome == .handled)
  }

  @Test func aConstraintThatIsBrokenKeepsNothing() async throws {
    let folder = try Folder()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    try await Self.table(store)
    for id in ["1", "2"] {
      _ = try? await store.handle(Self.effect(id)) { transaction in
        try await transaction.run("INSERT INTO orders VALUES (?)", "tea")
      }
    }
    #expect(try await store.load().cursor == Array("1".utf8))
    #expect(try await Self.orders(store) == ["tea"])
  }

  @Test func anIdWithOtherContentIsAConflictOrAnotherEvent() async throws {
    let folder = try Folder()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    #expect(try await store.handle(Self.effect("1", 1)) { _ in } == .handled)
    #expect(try await store.handle(Self.effect("1", 2)) { _ in throw Refused() } == .known(isConflict: true))
    #expect(try await store.handle(Self.effect("1", 2, byContent: true)) { _ in } == .handled)
    #expect(
      try await store.handle(Self.effect("1", .max, byContent: true)) { _ in } == .handled,
      "a digest of all ones")
    #expect(
      try await store.handle(Self.effect("1", 2, byContent: true)) { _ in throw Refused() }
        == .known(isConflict: false))
  }

  @Test func anEventWithoutAnIdIsHandledEachTime() async throws {
    let folder = try Folder()
    let store = try SQLiteCursorStore(path: folder.path("a.db"))
    let effect = StoredEffect(id: nil, content: 1, cursor: Array("5".utf8))
    for _ in 1...2 { #expect(try await store.handle(effect) { _ in } == .handled) }
    #expect(try await store.load().cursor == Array("5".utf8))
  }

  @Test func streamsOfOneFileDoNotKnowEachOther() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    let (one, two) = (database.cursors(of: "one"), database.cursors(of: "two"))
    #expect(try await one.handle(Self.effect("1")) { _ in } == .handled)
    #expect(try await two.load().cursor == [])
    #expect(try await two.handle(Self.effect("1")) { _ in } == .handled)
    try await two.move(to: Array("9".utf8))
    #expect(try await one.load().cursor == Array("1".utf8))
    #expect(try await two.load().cursor == Array("9".utf8))
  }

  @Test func transactionsComeOneAfterTheOther() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    _ = try await database.transaction { try await $0.run("CREATE TABLE t (n INTEGER)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...50 {
        group.addTask {
          try await database.transaction { transaction in
            let before = try await transaction.run("SELECT count(*) FROM t")
            await Task.yield()
            try await transaction.run("INSERT INTO t VALUES (?)", .integer(Int64(number)))
            let after = try await transaction.run("SELECT count(*) FROM t")
            guard case .integer(let first) = before[0][0], case .integer(let second) = after[0][0] else {
              return
            }
            #expect(second == first + 1)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aTransactionThatIsOverTakesNothing() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    let escaped = try await database.transaction { $0 }
    await #expect(throws: StoreError.transactionOver) { try await escaped.run("SELECT 1") }
    await #expect(throws: StoreError.transactionOver) {
      try await database.transaction { try await $0.run("COMMIT") }
    }
    #expect(try await database.transaction { try await $0.run("SELECT 1") } == [[1]])
  }

  @Test(.timeLimit(.minutes(1))) func aTransactionWithinAnotherIsRefused() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    let outer = try await database.transaction { transaction in
      await #expect(throws: StoreError.nested) {
        try await database.transaction { try await $0.run("SELECT 1") }
      }
      return try await transaction.run("SELECT 2")
    }
    #expect(outer == [[2]])
    #expect(try await database.transaction { try await $0.run("SELECT 3") } == [[3]])
  }

  @Test func aSecondStatementIsNotLeftOutInSilence() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    await #expect(throws: StoreError.self) {
      try await database.transaction { transaction in
        try await transaction.run("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
      }
    }
    await #expect(throws: StoreError.self) {
      try await database.transaction { try await $0.run("SELECT 1; SELEKT 2") }
    }
    let one = try await database.transaction { try await $0.run("SELECT 1; -- no more\n ;") }
    #expect(one == [[1]])
  }

  @Test func valuesComeBackAsTheyWere() async throws {
    let folder = try Folder()
    let database = try SQLiteDatabase(path: folder.path("a.db"))
    let values: [SQLiteValue] = [
      .null, .integer(.min), .real(0.5), .text("tea \u{0} 茶"), .blob([0, 255]), .blob([]), .text(""),
    ]
    let row = try await database.transaction { transaction in
      try await transaction.run(
        "SELECT ?, ?, ?, ?, ?, ?, ?", values[0], values[1], values[2], values[3], values[4], values[5],
        values[6])
    }
    #expect(row == [values])
  }

  @Test func filesThatAreNoDatabaseAreRefused() throws {
    let folder = try Folder()
    #expect(throws: StoreError.self) { try SQLiteDatabase(path: folder.path("missing/a.db")) }
    try Data(repeating: 7, count: 8_192).write(to: URL(filePath: folder.path("bad.db")))
    #expect(throws: StoreError.corrupt) { try SQLiteDatabase(path: folder.path("bad.db")) }
  }

  @Test func aNewerVersionIsNotTouched() async throws {
    let folder = try Folder()
    do {
      let database = try SQLiteDatabase(path: folder.path("a.db"))
      _ = try await database.transaction { try await $0.run("UPDATE goldwire_store SET version = 2") }
    }
    #expect(throws: StoreError.newerSchema(version: 2)) { try SQLiteDatabase(path: folder.path("a.db")) }
  }
}
