internal import GoldwireBytes

/// The event stream grammar of WHATWG HTML §9.2.6, on bytes, in pieces of any size.
///
/// It pulls: ``next(_:at:)`` gives one item at a time, and what the item is made of stands in the parser
/// until the next call. No piece is kept: values are counted and digested as they pass, and stored only
/// where asked. Bytes are UTF-8; text is decoded once a value is whole, so that a character may be cut.
public struct EventStreamParser: Sendable {
  /// What a piece of the stream completed.
  public enum Item: Equatable, Sendable {
    /// A block with a data field ended: an event.
    case event
    /// A block with an id and without data ended: no event, but the last event id changes.
    case id
    /// A line that is a comment ended.
    case comment
    /// A `retry` field ended that holds digits alone: milliseconds, at most 2,147,483,647.
    case retry(Int)
  }

  /// What bounds the parser's memory; a value that is longer is cut, and its block is marked.
  public struct Limits: Equatable, Sendable {
    /// The data of one event, where it is kept.
    public var data = 16 << 20
    /// An id; a longer one is ignored, since a part of a cursor is none.
    public var id = 4_096
    /// The type of an event.
    public var type = 1_024

    /// Makes the default limits.
    public init() {}
  }

  /// What bounds the parser's memory.
  public let limits: Limits
  /// The data of each event is kept, and not counted and digested alone.
  public let keepsData: Bool

  /// The number of blocks so far with a value that was longer than its limit.
  public internal(set) var cuts = 0

  let digestKey: UInt64
  var digester: ContentDigest
  /// The digest of the default type, and of the block's type where it is not kept.
  let defaultType: UInt64
  var typeDigest: UInt64?
  var place = Place.mark(0)
  var field = Field.unknown
  /// The last byte was a CR; a LF that follows belongs to it.
  var afterCR = false
  var name: UInt64 = 0
  var nameCount = 0
  var number = 0
  var digits = 0
  var isNumber = true
  var candidate: [UInt8] = []
  var isCandidate = true
  var isASCII = true
  /// Bytes of the unfinished block, and of it before the line that is being read.
  var blockBytes = 0
  var lineStart = 0
  /// The last item ended a block; its values are cleared at the next call.
  var isDispatched = false
  var block = Block()

  /// Bytes of the data of the block that was dispatched last: its lines, with one LF between each.
  public internal(set) var dataCount = 0
  /// An id field stands in that block itself.
  public internal(set) var hasID = false
  /// Where values are not kept, the digest of that id; see ``digest(ofID:key:)``.
  public internal(set) var idDigest: UInt64 = 0
  /// Whether that id is the empty one.
  public internal(set) var hasEmptyID = false
  /// For an event, the same for the same type and data, and for others different but by a freak of chance.
  public internal(set) var contentDigest: UInt64 = 0
  /// The id of the stream so far, where values are kept, with U+FFFD for what is not UTF-8: what an event without one of
  /// its own carries.
  public internal(set) var lastEventID: [UInt8] = []

  /// Makes a parser for one connection after another.
  ///
  /// `digestKey` is random, or fixed in a test; digests of parsers with one key can be compared.
  public init(keepsData: Bool, digestKey: UInt64 = 0, limits: Limits = Limits()) {
    self.keepsData = keepsData
    self.limits = limits
    self.digestKey = digestKey
    digester = ContentDigest(key: digestKey)
    var message = digester
    for byte in "message".utf8 { message.add(byte) }
    defaultType = message.finished
  }

  /// The digest of an id, equal for equal ids under one key; nil for the empty one.
  public static func digest(ofID id: Span<UInt8>, key: UInt64) -> UInt64? {
    id.isEmpty ? nil : ContentDigest.of(id, key: key)
  }

  /// Begins a connection: drops what is unfinished, and takes the id that the request carried.
  public mutating func restart(lastEventID: [UInt8] = []) {
    place = .mark(0)
    afterCR = false
    blockBytes = 0
    lineStart = 0
    isDispatched = false
    clearBlock()
    self.lastEventID = lastEventID
  }
}

// MARK: - The block that was dispatched last

extension EventStreamParser {
  /// Its data, where it is kept.
  public var data: [UInt8] { block.data }
  /// Its type, where values are kept; empty for the default, which is `message`.
  public var type: [UInt8] { keepsData ? block.type : [] }
  /// The id that stands in the block itself, where values are kept; see ``hasID``.
  public var id: [UInt8] { isDispatched ? lastEventID : block.id }
  /// A value was longer than its limit, and is cut or left out.
  public var isCut: Bool { block.isCut }
  /// Bytes of the block that is not finished: what is lost if the stream ends here.
  public var partialBytes: Int { isDispatched ? 0 : blockBytes }

  /// The data as text, with U+FFFD for what is not UTF-8.
  public var dataText: String { String(decoding: block.data, as: UTF8.self) }
  /// The type as text, where values are kept; `message` by default.
  public var typeText: String {
    type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
  }
  /// The id of the stream so far, as text.
  public var lastEventIDText: String { String(decoding: lastEventID, as: UTF8.self) }
}
