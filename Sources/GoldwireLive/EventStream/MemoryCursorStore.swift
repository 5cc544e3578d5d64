/// Keeps cursor and effects in memory, for as long as the process lives.
///
/// Its window is bounded: it forgets the oldest effects first, and ``forgotten`` says how many. An event whose effect
/// was forgotten is handled again if it comes again; a database forgets none.
public actor MemoryCursorStore: CursorStore {
  /// A transaction that holds nothing: in memory there is nothing to roll back.
  public struct Transaction: Sendable {}

  /// The number of effects that are kept.
  public let capacity: Int
  /// The number of effects that were forgotten.
  public private(set) var forgotten = 0
  private var place: StoredCursor
  private var contents: [[UInt8]: [UInt64]] = [:]
  private var order: [(id: [UInt8], content: UInt64)] = []
  private var oldest = 0

  /// Makes a store that begins at a cursor, and keeps so many effects.
  public init(cursor: String = "", capacity: Int = 65_536) {
    self.capacity = max(1, capacity)
    var random = SystemRandomNumberGenerator()
    place = StoredCursor(cursor: Array(cursor.utf8), digestKey: random.next())
  }

  /// The cursor as text; empty where there is none.
  public var cursor: String { String(decoding: place.cursor, as: UTF8.self) }

  /// Where the stream stands.
  public func load() -> StoredCursor { place }

  /// Runs a handler, then keeps its effect and the cursor; throws what the handler throws.
  public func handle(
    _ effect: StoredEffect, _ handler: @Sendable (Transaction) async throws -> Void
  ) async throws -> StoredOutcome {
    if let known = outcome(of: effect) {
      place.cursor = effect.cursor
      return known
    }
    try await handler(Transaction())
    keep(effect)
    place.cursor = effect.cursor
    return .handled
  }

  /// Moves the cursor alone.
  public func move(to cursor: [UInt8]) { place.cursor = cursor }

  private func outcome(of effect: StoredEffect) -> StoredOutcome? {
    guard let id = effect.id, let known = contents[id] else { return nil }
    let isSame = known.contains(effect.content)
    if effect.isToldByContent, !isSame { return nil }
    return .known(isConflict: !isSame)
  }

  private func keep(_ effect: StoredEffect) {
    guard let id = effect.id else { return }
    contents[id, default: []].append(effect.content)
    if order.count < capacity { return order.append((id, effect.content)) }
    let old = order[oldest]
    order[oldest] = (id, effect.content)
    oldest = (oldest + 1) % capacity
    forgotten += 1
    contents[old.id]?.removeAll { $0 == old.content }
    if contents[old.id]?.isEmpty == true { contents[old.id] = nil }
  }
}
