/// Why a store could not read or keep something; no text of a statement or a value is in it.
public enum StoreError: Error, Equatable, Sendable {
  /// The file cannot be opened: a folder is missing, or it may not be written.
  case cannotOpen(code: Int)
  /// The file is no database, or is damaged.
  case corrupt
  /// The disk is full.
  case full
  /// Another process has held the database for longer than the store waits.
  case busy
  /// The file was made by a newer version, which this one does not read.
  case newerSchema(version: Int)
  /// The transaction was over when something was asked of it.
  case transactionOver
  /// A transaction was begun within another one of the same database: what it waits for would never come.
  case nested
  /// A statement is wrong, is more than one, or breaks a constraint; SQLite's extended result code.
  case statement(code: Int)
  /// A query gave more rows than the limit.
  case tooManyRows
}
