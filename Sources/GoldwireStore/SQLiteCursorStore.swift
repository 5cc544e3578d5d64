public import GoldwireLive

/// Keeps the cursor and the effects of one event stream in a database, in one transaction with what the handler writes.
///
/// All ids are kept: an event has one effect however late it comes again, and whenever the process was killed.
public struct SQLiteCursorStore: CursorStore {
  /// What a handler writes through.
  public typealias Transaction = SQLiteTransaction

  /// The database, for further streams and for reading.
  public let database: SQLiteDatabase
  private let stream: String

  init(_ database: SQLiteDatabase, stream: String) {
    self.database = database
    self.stream = stream
  }

  /// Opens the file of a database for one stream; further streams of the file share the database of this one.
  ///
  /// Throws a ``StoreError``.
  public init(path: String, stream: String = "events") throws {
    self.init(try SQLiteDatabase(path: path), stream: stream)
  }

  /// Where the stream stands.
  public func load() async throws -> StoredCursor {
    let cursor = try await database.transaction { transaction in try await place(transaction).cursor }
    return StoredCursor(cursor: cursor, digestKey: database.digestKey)
  }

  /// Runs a handler in a transaction that keeps the effect and the cursor with it.
  public func handle(
    _ effect: StoredEffect, _ handler: @Sendable (SQLiteTransaction) async throws -> Void
  ) async throws -> StoredOutcome {
    try await database.transaction { transaction in
      let number = try await place(transaction).number
      if let known = try await outcome(of: effect, number, transaction) {
        try await move(to: effect.cursor, number, transaction)
        return known
      }
      try await handler(transaction)
      if let id = effect.id {
        try await transaction.run(
          "INSERT OR IGNORE INTO goldwire_effects VALUES (?, ?, ?)", .integer(number), .blob(id),
          .integer(Int64(bitPattern: effect.content)))
      }
      try await move(to: effect.cursor, number, transaction)
      return .handled
    }
  }

  /// Moves the cursor alone.
  public func move(to cursor: [UInt8]) async throws {
    try await database.transaction { transaction in
      try await move(to: cursor, place(transaction).number, transaction)
    }
  }

  private func place(_ transaction: SQLiteTransaction) async throws -> (number: Int64, cursor: [UInt8]) {
    let row = try await transaction.run(
      "SELECT stream, cursor FROM goldwire_streams WHERE name = ?", .text(stream)
    ).first
    if let number = row?[0].number, let cursor = row?[1].bytes { return (number, cursor) }
    let made = try await transaction.run(
      "INSERT INTO goldwire_streams (name, cursor) VALUES (?, ?) RETURNING stream", .text(stream), .blob([])
    ).first
    guard let number = made?[0].number else { throw StoreError.corrupt }
    return (number, [])
  }

  private func outcome(
    of effect: StoredEffect, _ number: Int64, _ transaction: SQLiteTransaction
  ) async throws -> StoredOutcome? {
    guard let id = effect.id else { return nil }
    let rows = try await transaction.run(
      "SELECT content FROM goldwire_effects WHERE stream = ? AND id = ?", .integer(number), .blob(id))
    if rows.isEmpty { return nil }
    let isSame = rows.contains([.integer(Int64(bitPattern: effect.content))])
    if effect.isToldByContent, !isSame { return nil }
    return .known(isConflict: !isSame)
  }

  private func move(to cursor: [UInt8], _ number: Int64, _ transaction: SQLiteTransaction) async throws {
    try await transaction.run(
      "UPDATE goldwire_streams SET cursor = ? WHERE stream = ?", .blob(cursor), .integer(number))
  }
}
