import GoldwireProtocols

/// A stream gives the same items whole and in pieces, and those of the standard's algorithm.
enum EventStreamProperties {
  struct Told: Equatable {
    var item: EventStreamParser.Item
    var type: [UInt8] = []
    var data: [UInt8] = []
    var count = 0
    var id: [UInt8]?
    var lastID: [UInt8] = []
    var digest: UInt64 = 0
    var isCut = false
  }

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let cut = input.cut()
    var limits = EventStreamParser.Limits()
    if choice & 1 == 1 {
      limits.data = 20
      limits.id = 8
      limits.type = 4
    }
    let keeps = choice & 2 == 0
    let bytes = input.rest
    let whole = tell([bytes], keeps, limits)
    let pieces = tell(cut.pieces(of: bytes), keeps, limits)
    try hold(whole.told == pieces.told, "the same whole and in pieces:\n\(whole.told)\n\(pieces.told)")
    try hold(whole.partial == pieces.partial, "as much is unfinished: \(whole.partial) and \(pieces.partial)")
    try hold(whole.partial >= 0 && whole.partial <= bytes.count, "no more is unfinished than came")
    if choice & 1 == 0, keeps { try standard(bytes, whole.told) }
    try ids(whole.told)
  }

  private static func tell(
    _ pieces: [[UInt8]], _ keeps: Bool, _ limits: EventStreamParser.Limits
  ) -> (told: [Told], partial: Int) {
    var parser = EventStreamParser(keepsData: keeps, digestKey: 7, limits: limits)
    var told: [Told] = []
    parser.restart(lastEventID: [0x30])
    for piece in pieces {
      var index = 0
      while let item = parser.next(piece.span, at: &index) {
        var one = Told(item: item)
        one.lastID = parser.lastEventID
        if item == .event || item == .id {
          (one.type, one.data, one.count) = (parser.type, parser.data, parser.dataCount)
          (one.digest, one.isCut) = (parser.contentDigest, parser.isCut)
          one.id = parser.hasID ? parser.id : nil
        }
        told.append(one)
      }
    }
    return (told, parser.partialBytes)
  }

  private static func standard(_ bytes: [UInt8], _ told: [Told]) throws(FuzzFinding) {
    let plain = StandardEventStream(bytes, lastEventID: [0x30])
    let events = told.filter { $0.item == .event && !$0.isCut }
    let isCut = told.contains { $0.isCut }
    if isCut { return }
    try hold(
      events.map { StandardEventStream.Event(type: $0.type, data: $0.data, lastID: $0.lastID) }
        == plain.events, "the standard's events:\n\(events)\n\(plain.events)")
    let retries = told.compactMap { if case .retry(let count) = $0.item { count } else { nil } }
    try hold(retries == plain.retries, "the standard's retries")
    try hold(told.count { $0.item == .comment } == plain.comments, "every comment is told")
  }

  /// Numbers of ids are pseudonyms: equal for equal ids, as long as they are remembered.
  private static func ids(_ told: [Told]) throws(FuzzFinding) {
    var limits = EventIDTable.Limits()
    limits.ids = 4
    limits.bytes = 40
    limits.revisions = 3
    var table = EventIDTable(limits: limits)
    for one in told {
      guard let id = one.id else { continue }
      let number = table.number(of: id)
      try hold(table.count <= limits.ids, "no more ids are kept than the limit")
      try hold(number == 0 ? id.isEmpty : table.id(of: number) == id, "a number is that of its id")
      try hold(table.number(of: id) == number, "an id that was just seen is known")
      let revision = table.revision(of: number, digest: one.digest)
      try hold(revision >= 1 && revision <= limits.revisions + 1, "revisions are bounded")
    }
  }
}

/// The algorithm of WHATWG HTML section 9.2.6, line by line on whole bytes: slow and plain.
struct StandardEventStream {
  struct Event: Equatable {
    var type: [UInt8]
    var data: [UInt8]
    var lastID: [UInt8]
  }

  private(set) var events: [Event] = []
  private(set) var retries: [Int] = []
  private(set) var comments = 0

  private var lastID: [UInt8]
  private var idBuffer: [UInt8]
  private var data: [UInt8]?
  private var type: [UInt8] = []

  init(_ bytes: [UInt8], lastEventID: [UInt8]) {
    lastID = lastEventID
    idBuffer = lastEventID
    var bytes = bytes[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    while let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      take(bytes[..<end])
      let isPair = bytes[end] == 0x0D && end + 1 < bytes.endIndex && bytes[end + 1] == 0x0A
      bytes = bytes[(isPair ? end + 2 : end + 1)...]
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    if line.isEmpty { return dispatch() }
    if line.first == 0x3A {
      comments += 1
      return
    }
    let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data": data = data.map { $0 + [0x0A] + value } ?? Array(value)
    case "event": type = Array(value)
    case "id":
      if !value.contains(0) { idBuffer = Array(String(decoding: value, as: UTF8.self).utf8) }
    case "retry":
      if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
        retries.append(value.reduce(0) { min($0 * 10 + Int($1 - 0x30), 2_147_483_647) })
      }
    default: break
    }
  }

  private mutating func dispatch() {
    lastID = idBuffer
    if let data { events.append(Event(type: type, data: data, lastID: lastID)) }
    data = nil
    type = []
  }
}
