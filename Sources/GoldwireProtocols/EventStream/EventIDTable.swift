/// Numbers for event ids by first appearance, and for the contents that came with each.
///
/// Bounded: the oldest ids are forgotten first, and one that comes back has a new number;
/// ``forgotten`` counts them. 0 is the empty id. No state machine needs the id itself.
public struct EventIDTable: Sendable {
  /// What bounds the table's memory.
  public struct Limits: Equatable, Sendable {
    /// The ids that are kept.
    public var ids = 65_536
    /// The bytes of all ids that are kept.
    public var bytes = 16 << 20
    /// The contents that are told apart under one id; all further ones count as one more.
    public var revisions = 64

    /// Makes the default limits.
    public init() {}
  }

  private struct Entry: Sendable {
    let id: [UInt8]
    var first: UInt64?
    var others: [UInt64] = []
  }

  /// What bounds the table's memory.
  public let limits: Limits
  /// The number of ids that were forgotten.
  public private(set) var forgotten = 0

  private var numbers: [[UInt8]: Int] = [:]
  /// A ring: the entry of a number stands at the number modulo its size, once it is full.
  private var entries: [Entry] = []
  private var next = 1
  private var oldest = 1
  private var bytes = 0

  /// Makes an empty table.
  public init(limits: Limits = Limits()) { self.limits = limits }

  /// The number of ids that are kept.
  public var count: Int { next - oldest }

  /// The number of an id, a new one if it was not seen or is forgotten.
  public mutating func number(of id: [UInt8]) -> Int {
    if id.isEmpty { return 0 }
    if let number = numbers[id] { return number }
    let room = Swift.max(1, limits.ids)
    while count > 0, count >= room || bytes + id.count > limits.bytes { forgetOldest() }
    let number = next
    next += 1
    bytes += id.count
    numbers[id] = number
    let slot = (number - 1) % room
    if slot < entries.count {
      entries[slot] = Entry(id: id)
    } else {
      entries.append(Entry(id: id))
    }
    return number
  }

  /// Which content this is among those that came with the id of a number: 1 for the first.
  ///
  /// Always 1 for the empty id and for one that is forgotten.
  public mutating func revision(of number: Int, digest: UInt64) -> Int {
    guard let slot = slot(of: number) else { return 1 }
    guard let first = entries[slot].first else {
      entries[slot].first = digest
      return 1
    }
    if first == digest { return 1 }
    if let index = entries[slot].others.firstIndex(of: digest) { return index + 2 }
    let count = entries[slot].others.count
    if count + 1 < limits.revisions { entries[slot].others.append(digest) }
    return count + 2
  }

  /// The id of a number; nil if it is forgotten.
  public func id(of number: Int) -> [UInt8]? {
    number == 0 ? [] : slot(of: number).map { entries[$0].id }
  }

  private func slot(of number: Int) -> Int? {
    guard number >= oldest, number < next else { return nil }
    return (number - 1) % Swift.max(1, limits.ids)
  }

  private mutating func forgetOldest() {
    if let slot = slot(of: oldest) {
      numbers[entries[slot].id] = nil
      bytes -= entries[slot].id.count
      entries[slot] = Entry(id: [])
    }
    oldest += 1
    forgotten += 1
  }
}
