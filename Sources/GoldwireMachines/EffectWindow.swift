/// The ids whose effects are known, kept in memory and bounded: the oldest are forgotten first.
///
/// An event whose id was forgotten is delivered again if it comes again; ``forgotten`` says how many
/// that can befall. Never to forget is a database's task.
public struct EffectWindow: Sendable {
  /// An id with the content that it had.
  public struct Effect: Hashable, Sendable {
    /// The id's number.
    public let id: Int
    /// Which content among those that came with the id; 1 for the first.
    public let revision: Int

    /// Makes an effect.
    public init(id: Int, revision: Int) {
      self.id = id
      self.revision = revision
    }
  }

  /// The largest number of effects that are kept.
  public let capacity: Int
  /// The number of effects that were forgotten.
  public private(set) var forgotten = 0

  private var effects: Set<Effect> = []
  private var effectsOfID: [Int: Int] = [:]
  private var order: [Effect] = []
  private var oldest = 0

  /// Makes an empty window.
  public init(capacity: Int) { self.capacity = Swift.max(1, capacity) }

  /// The number of effects that are kept.
  public var count: Int { order.count }

  /// Whether this id has had an effect, whatever the content.
  public func contains(id: Int) -> Bool { effectsOfID[id] != nil }

  /// Whether this id has had an effect with this content.
  public func contains(_ effect: Effect) -> Bool { effects.contains(effect) }

  /// Keeps an effect; forgets the oldest where there is no room.
  public mutating func insert(_ effect: Effect) {
    guard effects.insert(effect).inserted else { return }
    effectsOfID[effect.id, default: 0] += 1
    if order.count < capacity {
      order.append(effect)
      return
    }
    let old = order[oldest]
    order[oldest] = effect
    oldest = (oldest + 1) % capacity
    forgotten += 1
    effects.remove(old)
    let left = (effectsOfID[old.id] ?? 1) - 1
    effectsOfID[old.id] = left > 0 ? left : nil
  }
}
