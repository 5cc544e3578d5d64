/// Puts the records of several threads into one order: by instant, and at one instant as they were recorded.
///
/// Records of one channel keep the order in which they were recorded, whatever their instants say. A record is held
/// for a while, since another thread may still record something earlier.
struct RecordOrder {
  /// A record with the instant that its line gets.
  struct Item {
    var t: Int
    var number: Int
    var record: TapRecord
    /// Whether the record's own instant was earlier than that of a line before it.
    var isBack = false
  }

  /// The most records that are held.
  static let most = 16_384

  private var items: [Item] = []
  private var number = 0
  /// The instant of the last record of each channel, by its bits in the head.
  private var last: [UInt64: Int] = [:]
  /// The instant of the last line that was handed on: nothing earlier can be written.
  private(set) var written = 0
  private var isSorted = true

  /// Whether no further record can be held back.
  var isFull: Bool { items.count >= Self.most }

  /// The instant of a channel's last record, no earlier than what is written.
  func last(of channel: UInt64) -> Int { max(last[channel] ?? 0, written) }

  /// Takes a record at the instant `t`.
  mutating func take(_ record: TapRecord, at t: Int) {
    let channel = record.head & TapRecord.Head.ofChannel
    let least = last(of: channel)
    let item = Item(t: max(t, least), number: number, record: record, isBack: t < least)
    number &+= 1
    last[channel] = item.t
    if let before = items.last, before.t > item.t { isSorted = false }
    items.append(item)
  }

  /// Takes what the recorder itself notices: it stands before what was recorded at `t`.
  mutating func take(noticed record: TapRecord, at t: Int) {
    let t = max(t, written)
    if let before = items.last, before.t >= t { isSorted = false }
    items.append(Item(t: t, number: .min, record: record))
  }

  /// Hands on, in order, what stands at or before `t`; what goes beyond the room for held records too.
  mutating func release(through t: Int, _ take: (Item) -> Void) {
    if !isSorted {
      items.sort { ($0.t, $0.number) < ($1.t, $1.number) }
      isSorted = true
    }
    var count = isFull ? items.count - Self.most / 2 : 0
    while count < items.count, items[count].t <= t { count += 1 }
    for item in items[..<count] { take(item) }
    if count > 0 { written = max(written, items[count - 1].t) }
    items.removeFirst(count)
    if last.count > Self.most { last = last.filter { $0.value > written } }
  }

  /// Says that a line stands at `t`.
  mutating func wrote(at t: Int) { written = max(written, t) }
}
