import GoldwireBytes
import GoldwireProtocols

/// An event stream that is being received.
struct StreamState {
  /// What stands between the body and the parser.
  enum Coding {
    /// Nothing.
    case plain
    /// A decompressor.
    case inflated(BodyInflater)
    /// Something that cannot be undone: the stream's events are not read.
    case unreadable
  }

  /// The channel's index in the book, or -1.
  let channel: Int
  /// The generation.
  let generation: Int
  /// The place of the channel's table of pseudonyms, or -1 before it was looked for.
  var table = -1
  /// The parser.
  var parser: EventStreamParser
  /// What stands before it.
  var coding: Coding
  /// The number of events so far.
  var events = 0
  /// The number of blocks with a value over its limit that were told.
  var cuts = 0
  /// The number of items so far, and of the bytes of the body, where it is compressed.
  private var items = 0
  private var bodyBytes = 0
  /// After a gap: whether a block's end is looked for, and the line ends seen in a row.
  private var resync: (isOn: Bool, lineEnds: Int, wasCR: Bool) = (false, 0, false)

  /// Makes the state at the stream's begin.
  init(channel: Int, generation: Int, key: UInt64, coding: Coding) {
    self.channel = channel
    self.generation = generation
    self.coding = coding
    parser = EventStreamParser(keepsData: false, digestKey: key)
  }

  /// An event that the parser gave.
  struct Event {
    /// Its number.
    var n = 0
    /// The id that stands in it.
    var id: EventID?
    /// The digest of its content.
    var content: UInt64 = 0
    /// The bytes of its data.
    var bytes = 0
    /// The stream's ``StreamState/table``.
    var table = -1
  }

  /// Whether nothing stands before the parser.
  @inline(__always)
  var isPlain: Bool {
    switch coding {
    case .plain: true
    case .inflated, .unreadable: false
    }
  }

  /// Whether any number of items may come, and nothing is to be told of a block.
  @inline(__always)
  var isUnbounded: Bool { isPlain && parser.cuts == cuts }

  /// Bytes are missing: the block that they belong to is dropped, and reading goes on behind its end.
  mutating func lose() {
    parser.restart()
    resync = (true, 0, false)
    if case .inflated = coding { coding = .unreadable }
  }

  /// Counts the bytes of a compressed body.
  mutating func take(_ bytes: Int) { bodyBytes &+= bytes }

  /// Counts an item; false if a compressed body so small may not have so many.
  mutating func mayGive(_ limits: CaptureLimits) -> Bool {
    guard case .inflated = coding else { return true }
    items &+= 1
    let (most, isOver) = bodyBytes.multipliedReportingOverflow(by: limits.streamItemRatio)
    return isOver || items &- limits.streamItemAllowance <= most
  }

  /// The next item of a piece; if it is an event it is counted and stands in `event`.
  @inline(__always)
  mutating func next(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ event: inout Event
  ) -> EventStreamParser.Item? {
    if resync.isOn, !findBlock(bytes, &offset) { return nil }
    let item = parser.next(bytes, at: &offset)
    if item == .event {
      events &+= 1
      event = Event(
        n: events, id: parser.hasID ? EventID(parser) : nil, content: parser.contentDigest,
        bytes: parser.dataCount, table: table)
    }
    return item
  }

  /// Looks for the end of a block after a gap; false where it is not in the piece.
  private mutating func findBlock(_ bytes: Span<UInt8>, _ offset: inout Int) -> Bool {
    while resync.isOn {
      guard offset < bytes.count else { return false }
      let byte = bytes[offset]
      offset &+= 1
      if byte == 0x0A, resync.wasCR {
        resync.wasCR = false
        continue
      }
      resync.wasCR = byte == 0x0D
      resync.lineEnds = byte == 0x0A || byte == 0x0D ? resync.lineEnds &+ 1 : 0
      if resync.lineEnds == 2 { resync.isOn = false }
    }
    return true
  }

  /// The bytes of the block that is not finished.
  var partial: Int { resync.isOn ? 0 : parser.partialBytes }
}
