import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// What an event stream's body held, as the parser of event streams reads it.
struct HARStream {
  /// One item.
  enum Kind {
    /// An event: its id where the block has one, the digest of its content, the bytes of its data.
    case event(id: EventID?, content: UInt64, bytes: Int)
    case id(EventID)
    case comment
    case retry(Int)
  }

  /// An item with its instant.
  struct Item {
    var kind: Kind
    /// µs since 1970; nil where the file does not say.
    var time: Int?
  }

  /// The items in order.
  private(set) var items: [Item] = []
  /// The bytes of the block that the body left unfinished.
  private(set) var partial = 0

  /// Makes a stream that held nothing.
  init() {}

  /// Reads a body.
  init(_ body: [UInt8], key: UInt64) {
    var parser = EventStreamParser(keepsData: false, digestKey: key)
    var offset = 0
    while let item = parser.next(body.span, at: &offset) {
      switch item {
      case .event:
        let id = parser.hasID ? EventID(parser) : nil
        items.append(
          Item(kind: .event(id: id, content: parser.contentDigest, bytes: parser.dataCount)))
      case .id: items.append(Item(kind: .id(EventID(parser))))
      case .comment: items.append(Item(kind: .comment))
      case .retry(let milliseconds): items.append(Item(kind: .retry(milliseconds)))
      }
    }
    partial = parser.partialBytes
  }

  /// Takes over what a tool noted of the events: their instants, and the events themselves where there is no body.
  ///
  /// Such a note has the id of the stream so far; only one that differs from the event's before is sure to stand in
  /// the event's own block.
  mutating func take(_ events: [HARFields.StreamEvent], in text: Span<UInt8>, key: UInt64) {
    if items.isEmpty {
      var last: EventID?
      for event in events {
        let id = event.id.map { EventID(HARCursor.decoded($0, in: text).span, key: key) } ?? .empty
        let type = event.type.map { HARCursor.decoded($0, in: text) } ?? []
        let data = event.data.map { HARCursor.decoded($0, in: text) } ?? []
        var content = KeyedHash(key: key)
        content.add(type.span)
        content.add(UInt64(type.count))
        content.add(data.span)
        let isOwn = id != .empty && id != last
        last = id
        items.append(
          Item(
            kind: .event(id: isOwn ? id : nil, content: content.value, bytes: data.count), time: event.time))
      }
      return
    }
    let places = items.indices.filter {
      if case .event = items[$0].kind { return true }
      return false
    }
    guard places.count == events.count else { return }
    for (place, event) in zip(places, events) { items[place].time = event.time }
    // What stands before an event in the body came no later than it.
    for index in items.indices.dropLast().reversed() where items[index].time == nil {
      items[index].time = items[index + 1].time
    }
  }
}
