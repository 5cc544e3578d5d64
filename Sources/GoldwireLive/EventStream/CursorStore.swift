/// Keeps an event stream's cursor and the effects of its events, together with what the handler writes.
///
/// The promise is that all three become durable in one transaction, or none does: then an app that is killed at any
/// instant has handled each event once. The ids themselves are kept, since `Last-Event-ID` needs them: a store is the
/// app's own data, and no trace.
public protocol CursorStore: Sendable {
  /// What a handler writes through, so that its writes belong to the transaction.
  associatedtype Transaction: Sendable

  /// Where the stream stands.
  func load() async throws -> StoredCursor

  /// Runs the handler of one event in a transaction that keeps its effect and the cursor with it.
  ///
  /// Does not run it where the effect is there already; the cursor moves all the same. Keeps nothing, and throws, where
  /// the handler throws or the transaction cannot be kept.
  func handle(
    _ effect: StoredEffect, _ handler: @Sendable (Transaction) async throws -> Void
  ) async throws -> StoredOutcome

  /// Moves the cursor alone: past a block that has an id and no data.
  func move(to cursor: [UInt8]) async throws
}

/// Where a stream stands.
public struct StoredCursor: Equatable, Sendable {
  /// The bytes of the id of the last event that was handled; empty where there is none.
  public var cursor: [UInt8]
  /// What contents are digested with, the same for the life of the store.
  public var digestKey: UInt64

  /// Makes a place.
  public init(cursor: [UInt8], digestKey: UInt64) {
    self.cursor = cursor
    self.digestKey = digestKey
  }
}

/// What is kept of an event that was handled.
public struct StoredEffect: Equatable, Sendable {
  /// The id that stands in the event itself; nil without one, or for the empty one: then it is not told from others.
  public var id: [UInt8]?
  /// The digest of its type and data.
  public var content: UInt64
  /// The cursor once it is handled.
  public var cursor: [UInt8]
  /// The same id with other content is another event.
  public var isToldByContent: Bool

  /// Makes an effect.
  public init(id: [UInt8]?, content: UInt64, cursor: [UInt8], isToldByContent: Bool = false) {
    self.id = id
    self.content = content
    self.cursor = cursor
    self.isToldByContent = isToldByContent
  }
}

/// What came of an event in a store.
public enum StoredOutcome: Equatable, Sendable {
  /// Its handler has run, and all is kept.
  case handled
  /// Its effect was there already; `isConflict` where that was of other content.
  case known(isConflict: Bool)
}
