internal import GoldwireLive

/// A database that keeps cursors and effects of event streams beside what the app keeps in it.
///
/// Its own tables begin with `goldwire_`; the rest of the file is the app's, so that business writes join the
/// transaction. It holds the texts of event ids, which `Last-Event-ID` needs: it is the app's own data, and no trace.
/// Transactions come one after the other. The journal is a write-ahead log, synced at each commit.
public actor SQLiteDatabase {
  /// The version of the tables.
  static let schema = 1

  private struct Turn: Sendable {
    var isTaken = false
    var number = 0
    /// The task whose transaction is open.
    var owner: Int?
  }

  /// What the executor of this actor is.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private nonisolated let executor = QueueExecutor(label: "goldwire.store")
  private nonisolated let turn = Watched(Turn())
  private let connection: SQLiteConnection
  /// What contents are digested with, the same for the life of the file.
  nonisolated let digestKey: UInt64
  /// The number of the transaction that is open.
  private var current: Int?

  /// Opens the file, and makes it and its tables where they are not there.
  ///
  /// Throws a ``StoreError``.
  public init(path: String) throws {
    connection = try SQLiteConnection(path: path)
    digestKey = try Self.prepare(connection)
  }

  /// The store of one stream; its name is the app's own, and stays in the file.
  public nonisolated func cursors(of stream: String) -> SQLiteCursorStore {
    SQLiteCursorStore(self, stream: stream)
  }

  /// Runs `body` in a transaction: all that it writes is kept, or nothing if it throws.
  ///
  /// Waits for its turn. Throws what `body` throws, a ``StoreError``, which is `nested` within another transaction of
  /// the same task, or `CancellationError` while it waits.
  public func transaction<Result: Sendable>(
    _ body: @Sendable (SQLiteTransaction) async throws -> Result
  ) async throws -> Result {
    let task = Self.task
    if let task, turn.value.owner == task { throw StoreError.nested }
    let number = try await turn.wait { turn -> Int? in
      guard !turn.isTaken else { return nil }
      turn.isTaken = true
      turn.owner = task
      turn.number += 1
      return turn.number
    }
    defer {
      turn.update { turn in
        turn.isTaken = false
        turn.owner = nil
      }
    }
    try connection.run("BEGIN IMMEDIATE")
    current = number
    do {
      let result = try await body(SQLiteTransaction(self, number))
      current = nil
      guard !connection.isIdle else { throw StoreError.transactionOver }
      try connection.run("COMMIT")
      return result
    } catch {
      current = nil
      if !connection.isIdle { _ = try? connection.run("ROLLBACK") }
      throw error
    }
  }

  /// What tells the present task from others: one that waited for its own turn would wait for ever.
  private static var task: Int? {
    unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe $0.hashValue } }
  }

  /// Runs a statement of a transaction that is open.
  func run(_ sql: String, _ values: [SQLiteValue], in number: Int) throws -> [[SQLiteValue]] {
    guard current == number, !connection.isIdle else { throw StoreError.transactionOver }
    let rows = try connection.run(sql, values)
    guard !connection.isIdle else { throw StoreError.transactionOver }
    return rows
  }

  private static func prepare(_ connection: SQLiteConnection) throws(StoreError) -> UInt64 {
    try connection.run("PRAGMA journal_mode = WAL")
    try connection.run("PRAGMA synchronous = FULL")
    try connection.run("BEGIN IMMEDIATE")
    do {
      let key = try tables(connection)
      try connection.run("COMMIT")
      return key
    } catch {
      if !connection.isIdle { _ = try? connection.run("ROLLBACK") }
      throw error
    }
  }

  private static func tables(_ connection: SQLiteConnection) throws(StoreError) -> UInt64 {
    try connection.run(
      "CREATE TABLE IF NOT EXISTS goldwire_store (version INTEGER NOT NULL, digest_key INTEGER NOT NULL)")
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS goldwire_streams (
        stream INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, cursor BLOB NOT NULL)
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS goldwire_effects (
        stream INTEGER NOT NULL, id BLOB NOT NULL, content INTEGER NOT NULL,
        PRIMARY KEY (stream, id, content)) WITHOUT ROWID
      """)
    let row = try connection.run("SELECT version, digest_key FROM goldwire_store").first
    if let version = row?[0].number, let key = row?[1].number {
      guard version <= schema else { throw .newerSchema(version: Int(version)) }
      return UInt64(bitPattern: key)
    }
    var random = SystemRandomNumberGenerator()
    let key: UInt64 = random.next()
    try connection.run(
      "INSERT INTO goldwire_store VALUES (?, ?)",
      [.integer(Int64(schema)), .integer(Int64(bitPattern: key))])
    return key
  }
}

/// A transaction that is open: what a handler writes through it is kept with the cursor, or not at all.
public struct SQLiteTransaction: Sendable {
  private let database: SQLiteDatabase
  private let number: Int

  init(_ database: SQLiteDatabase, _ number: Int) {
    self.database = database
    self.number = number
  }

  /// Runs a statement with a value for each `?`, and gives its rows.
  ///
  /// Throws a ``StoreError``, `transactionOver` after the handler has ended.
  @discardableResult
  public func run(_ sql: String, _ values: SQLiteValue...) async throws -> [[SQLiteValue]] {
    try await database.run(sql, values, in: number)
  }
}
