internal import CSQLite

/// A connection to SQLite, with its prepared statements; the one place that calls the library.
///
/// It is used by one isolation alone.
@safe final class SQLiteConnection {
  /// What bounds what a connection keeps and gives.
  enum Limits {
    /// Statements that stay prepared; a further one drops all of them.
    static let statements = 64
    /// Rows that one query may give.
    static let rows = 100_000
    /// How long it waits for another process, in milliseconds.
    static let busy: Int32 = 5_000
  }

  private let handle: OpaquePointer
  private var statements: [String: Prepared] = [:]

  /// Opens a file, which is made if it is not there.
  init(path: String) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      unsafe sqlite3_close_v2(opened)
      throw .cannotOpen(code: Int(code))
    }
    unsafe self.handle = handle
    unsafe sqlite3_busy_timeout(handle, Limits.busy)
  }

  deinit {
    // What is still prepared goes with its owner; the library waits for that.
    unsafe sqlite3_close_v2(handle)
  }

  /// No transaction is open.
  var isIdle: Bool { unsafe sqlite3_get_autocommit(handle) != 0 }

  /// Runs a statement, and gives its rows.
  @discardableResult
  func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> [[SQLiteValue]] {
    let statement = unsafe try prepared(sql).handle
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(unsafe bind(value, to: statement, at: Int32(index + 1)))
    }
    var rows: [[SQLiteValue]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_DONE: return rows
      case SQLITE_ROW:
        guard rows.count < Limits.rows else { throw .tooManyRows }
        rows.append(unsafe row(of: statement))
      case let code: throw StoreError(code)
      }
    }
  }
}

// MARK: - Statements

extension SQLiteConnection {
  private func prepared(_ sql: String) throws(StoreError) -> Prepared {
    if let statement = statements[sql] { return statement }
    if statements.count >= Limits.statements { statements.removeAll() }
    let (code, made) = unsafe sql.withCString { text -> (Int32, Prepared?) in
      var rest: UnsafePointer<CChar>?
      let first = unsafe prepare(text, &rest)
      guard first.code == SQLITE_OK, let next = unsafe rest, unsafe next.pointee != 0 else { return first }
      // The library takes the first statement alone; what stands behind it would be left out without a word.
      let second = unsafe prepare(next, &rest)
      return second.code == SQLITE_OK && second.statement == nil ? first : (SQLITE_MISUSE, nil)
    }
    try check(code)
    guard let statement = made else { throw .statement(code: Int(SQLITE_MISUSE)) }
    statements[sql] = statement
    return statement
  }

  private func prepare(
    _ text: UnsafePointer<CChar>, _ rest: inout UnsafePointer<CChar>?
  ) -> (code: Int32, statement: Prepared?) {
    var made: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(handle, text, -1, flags, &made, &rest)
    guard let made = unsafe made else { return (code, nil) }
    return (code, unsafe Prepared(made))
  }

  private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
    case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .text(let text):
      return unsafe text.utf8CString.withUnsafeBufferPointer { bytes in
        let count = Int32(clamping: bytes.count - 1)
        return unsafe sqlite3_bind_text(statement, index, bytes.baseAddress, count, goldwire_sqlite_copies())
      }
    case .blob(let bytes):
      if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, index, 0) }
      return unsafe bytes.withUnsafeBytes { bytes in
        let count = Int32(clamping: bytes.count)
        return unsafe sqlite3_bind_blob(statement, index, bytes.baseAddress, count, goldwire_sqlite_copies())
      }
    }
  }

  private func row(of statement: OpaquePointer) -> [SQLiteValue] {
    (0..<(unsafe sqlite3_column_count(statement))).map { column in
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        let bytes = unsafe Self.bytes(
          sqlite3_column_text(statement, column), sqlite3_column_bytes(statement, column))
        return .text(String(decoding: bytes, as: UTF8.self))
      case SQLITE_BLOB:
        return .blob(
          unsafe Self.bytes(sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column)))
      default: return .null
      }
    }
  }

  private static func bytes(_ start: UnsafeRawPointer?, _ count: Int32) -> [UInt8] {
    guard let start = unsafe start, count > 0 else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw StoreError(code) }
  }
}

/// A statement that is prepared; it goes with its owner.
@safe private final class Prepared {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe sqlite3_finalize(handle) }
}

extension StoreError {
  /// What a result code says.
  fileprivate init(_ code: Int32) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: self = .cannotOpen(code: Int(code))
    default: self = .statement(code: Int(code))
    }
  }
}
