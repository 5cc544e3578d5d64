/// A key of an event, with its text as the codec wants it.
///
/// The keys of `counts` stand for themselves, since they are numbers in an object of their own. A key is no
/// case of an enumeration, since a text chosen by a switch over all of them is only folded to a constant
/// where the compiler inlines that switch, which it gives up in functions that name several keys.
struct EventKey: Equatable, Sendable {
  /// The key's place in ``all``.
  let number: UInt8
  /// The key from its comma to its colon, and the quote of a value that is a text; of a key of `counts`,
  /// without the comma.
  let text: StaticString

  private init(_ number: UInt8, _ text: StaticString) {
    self.number = number
    self.text = text
  }

  static func == (left: EventKey, right: EventKey) -> Bool { left.number == right.number }
}

extension EventKey {
  static var t: EventKey { EventKey(0, ",\"t\":\"") }
  static var ch: EventKey { EventKey(1, ",\"ch\":\"") }
  static var gen: EventKey { EventKey(2, ",\"gen\":\"") }
  static var ev: EventKey { EventKey(3, ",\"ev\":\"") }
  static var status: EventKey { EventKey(4, ",\"status\":\"") }
  static var deflate: EventKey { EventKey(5, ",\"deflate\":\"") }
  static var cause: EventKey { EventKey(6, ",\"cause\":\"") }
  static var retryAfter: EventKey { EventKey(7, ",\"retryAfter\":\"") }
  static var retryAt: EventKey { EventKey(8, ",\"retryAt\":\"") }
  static var retryBad: EventKey { EventKey(9, ",\"retryBad\":\"") }
  static var retryForm: EventKey { EventKey(10, ",\"retryForm\":\"") }
  static var date: EventKey { EventKey(11, ",\"date\":\"") }
  static var age: EventKey { EventKey(12, ",\"age\":\"") }
  static var dir: EventKey { EventKey(13, ",\"dir\":\"") }
  static var id: EventKey { EventKey(14, ",\"id\":\"") }
  static var bytes: EventKey { EventKey(15, ",\"bytes\":\"") }
  static var result: EventKey { EventKey(16, ",\"result\":\"") }
  static var kind: EventKey { EventKey(17, ",\"kind\":\"") }
  static var since: EventKey { EventKey(18, ",\"since\":\"") }
  static var beat: EventKey { EventKey(19, ",\"beat\":\"") }
  static var code: EventKey { EventKey(20, ",\"code\":\"") }
  static var by: EventKey { EventKey(21, ",\"by\":\"") }
  static var req: EventKey { EventKey(22, ",\"req\":\"") }
  static var attempt: EventKey { EventKey(23, ",\"try\":\"") }
  static var hop: EventKey { EventKey(24, ",\"hop\":\"") }
  static var method: EventKey { EventKey(25, ",\"method\":\"") }
  static var replayable: EventKey { EventKey(26, ",\"replayable\":\"") }
  static var key: EventKey { EventKey(27, ",\"key\":\"") }
  static var type: EventKey { EventKey(28, ",\"type\":\"") }
  static var sse: EventKey { EventKey(29, ",\"sse\":\"") }
  static var done: EventKey { EventKey(30, ",\"done\":\"") }
  static var differs: EventKey { EventKey(31, ",\"differs\":\"") }
  static var sent: EventKey { EventKey(32, ",\"sent\":\"") }
  static var duration: EventKey { EventKey(33, ",\"for\":\"") }
  static var unit: EventKey { EventKey(34, ",\"unit\":\"") }
  static var why: EventKey { EventKey(35, ",\"why\":\"") }
  static var cursor: EventKey { EventKey(36, ",\"cursor\":\"") }
  static var n: EventKey { EventKey(37, ",\"n\":\"") }
  static var rev: EventKey { EventKey(38, ",\"rev\":\"") }
  static var ms: EventKey { EventKey(39, ",\"ms\":\"") }
  static var ok: EventKey { EventKey(40, ",\"ok\":\"") }
  static var partial: EventKey { EventKey(41, ",\"partial\":\"") }
  static var to: EventKey { EventKey(42, ",\"to\":\"") }
  static var session: EventKey { EventKey(43, ",\"session\":\"") }
  static var slept: EventKey { EventKey(44, ",\"slept\":\"") }
  static var step: EventKey { EventKey(45, ",\"step\":\"") }
  static var packets: EventKey { EventKey(46, ",\"packets\":\"") }
  static var events: EventKey { EventKey(47, ",\"events\":\"") }
  static var at: EventKey { EventKey(48, ",\"at\":\"") }
  static var sentBytes: EventKey { EventKey(49, ",\"out\":\"") }
  static var received: EventKey { EventKey(50, ",\"in\":\"") }
  static var note: EventKey { EventKey(51, ",\"note\":\"") }
  static var rule: EventKey { EventKey(52, ",\"rule\":\"") }
  static var count: EventKey { EventKey(53, ",\"count\":\"") }
  static var counts: EventKey { EventKey(54, ",\"counts\":\"") }
  static var countPackets: EventKey { EventKey(55, "\"packets\":\"") }
  static var countIgnored: EventKey { EventKey(56, "\"ignored\":\"") }
  static var countNotIP: EventKey { EventKey(57, "\"notIP\":\"") }
  static var countNotTCP: EventKey { EventKey(58, "\"notTCP\":\"") }
  static var countCut: EventKey { EventKey(59, "\"cut\":\"") }
  static var countDamaged: EventKey { EventKey(60, "\"damaged\":\"") }
  static var countBadFragment: EventKey { EventKey(61, "\"badFragment\":\"") }
  static var countCiphered: EventKey { EventKey(62, "\"ciphered\":\"") }
  static var countNested: EventKey { EventKey(63, "\"nested\":\"") }
  static var countLinkType: EventKey { EventKey(64, "\"linkType\":\"") }
  static var countDatagrams: EventKey { EventKey(65, "\"datagrams\":\"") }
  static var countConnections: EventKey { EventKey(66, "\"connections\":\"") }
  static var countGaps: EventKey { EventKey(67, "\"gaps\":\"") }
  static var countOpaque: EventKey { EventKey(68, "\"opaque\":\"") }
  static var countUndecodable: EventKey { EventKey(69, "\"undecodable\":\"") }
  static var countDropped: EventKey { EventKey(70, "\"dropped\":\"") }

  /// All keys, each at the place of its number.
  static let all: [EventKey] = [
    .t, .ch, .gen, .ev, .status, .deflate, .cause, .retryAfter, .retryAt, .retryBad, .retryForm, .date,
    .age, .dir, .id, .bytes, .result, .kind, .since, .beat, .code, .by, .req, .attempt, .hop, .method,
    .replayable, .key, .type, .sse, .done, .differs, .sent, .duration, .unit, .why, .cursor, .n, .rev, .ms,
    .ok, .partial, .to, .session, .slept, .step, .packets, .events, .at, .sentBytes, .received, .note,
    .rule, .count, .counts, .countPackets, .countIgnored, .countNotIP, .countNotTCP, .countCut,
    .countDamaged, .countBadFragment, .countCiphered, .countNested, .countLinkType, .countDatagrams,
    .countConnections, .countGaps, .countOpaque, .countUndecodable, .countDropped,
  ]
}

extension EventKey {
  /// The key's bytes alone.
  var name: String {
    var name = ""
    text.withUTF8Buffer { bytes in
      for index in 0..<bytes.count {
        let byte = unsafe bytes[index]
        if byte != 0x2C, byte != 0x22, byte != 0x3A { name.unicodeScalars.append(Unicode.Scalar(byte)) }
      }
    }
    return name
  }

  /// Whether the key belongs into `counts`.
  @inline(__always)
  var isOfCounts: Bool { EventKey.isOfCounts(number) }

  /// The key as one bit of a set: of one set the keys of `counts`, of another all others.
  @inline(__always)
  var bit: UInt64 { EventKey.bit(number) }

  /// Whether the key of this number belongs into `counts`.
  @inline(__always)
  static func isOfCounts(_ number: UInt8) -> Bool { number >= countPackets.number }

  /// The key of this number as one bit of a set.
  @inline(__always)
  static func bit(_ number: UInt8) -> UInt64 {
    1 &<< UInt64(isOfCounts(number) ? number &- countPackets.number : number)
  }
}
