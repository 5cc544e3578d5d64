import GoldwireProtocols
import Testing

/// A stream in pieces with the events that it must give, however it is cut.
struct EventStreamVector: CustomTestStringConvertible, Sendable {
  struct Event: Equatable, Sendable {
    let type: String
    let data: String
    let lastEventID: String

    init(_ type: String, _ data: String, _ lastEventID: String) {
      self.type = type
      self.data = data
      self.lastEventID = lastEventID
    }
  }

  let name: String
  let chunks: [[UInt8]]
  let events: [Event]

  init(_ name: String, chunks: [String], events: [Event]) {
    self.name = name
    self.chunks = chunks.map { Array($0.utf8) }
    self.events = events
  }

  static let all = basics + edges

  var testDescription: String { name }
  var bytes: [UInt8] { chunks.flatMap { $0 } }
}

/// All that a parser says about some pieces of one connection.
struct ParsedStream: Equatable {
  var events: [EventStreamVector.Event] = []
  var items: [EventStreamParser.Item] = []
  var counts: [Int] = []
  var digests: [UInt64] = []
  var ownIDs: [String?] = []
  var lastEventID = ""
  var partial = 0

  init(_ pieces: [[UInt8]], parser: inout EventStreamParser) {
    for piece in pieces {
      var index = 0
      while let item = parser.next(piece.span, at: &index) {
        items.append(item)
        guard item == .event else { continue }
        events.append(.init(parser.typeText, parser.dataText, parser.lastEventIDText))
        counts.append(parser.dataCount)
        digests.append(parser.contentDigest)
        ownIDs.append(parser.hasID ? String(decoding: parser.id, as: UTF8.self) : nil)
      }
    }
    lastEventID = parser.lastEventIDText
    partial = parser.partialBytes
  }

  init(_ pieces: [[UInt8]]) {
    var parser = EventStreamParser(keepsData: true, digestKey: 7)
    self.init(pieces, parser: &parser)
  }
}

extension [UInt8] {
  /// Whole, byte by byte, cut in two at each place, and with an empty piece in between.
  var deliveries: [[[UInt8]]] {
    var all = [[self], map { [$0] }]
    for cut in 0...count { all.append([Array(self[..<cut]), [], Array(self[cut...])]) }
    return all
  }
}
