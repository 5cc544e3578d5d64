/// A key of an event, with its text as the codec wants it.
///
/// The keys of `counts` stand for themselves, since they are numbers in an object of their own.
enum EventKey: UInt8, CaseIterable, Sendable {
  case t, ch, gen, ev, status, deflate, cause, retryAfter, retryAt, retryBad, retryForm, date, age,
    dir, id, bytes, result, kind, since, beat, code, by, req, attempt, hop, method, replayable, key,
    type, sse, done, differs, sent, duration, unit, why, cursor, n, rev, ms, ok, partial, to,
    session, slept, step, packets, events, at, sentBytes, received, note, rule, count, counts
  case countPackets, countIgnored, countNotIP, countNotTCP, countCut, countDamaged, countBadFragment,
    countCiphered, countNested, countLinkType, countDatagrams, countConnections, countGaps, countOpaque,
    countUndecodable, countDropped

  /// The key between its comma and its colon; of a key of `counts`, without the comma.
  @inline(__always)
  var text: StaticString {
    switch self {
    case .t: ",\"t\":"
    case .ch: ",\"ch\":"
    case .gen: ",\"gen\":"
    case .ev: ",\"ev\":"
    case .status: ",\"status\":"
    case .deflate: ",\"deflate\":"
    case .cause: ",\"cause\":"
    case .retryAfter: ",\"retryAfter\":"
    case .retryAt: ",\"retryAt\":"
    case .retryBad: ",\"retryBad\":"
    case .retryForm: ",\"retryForm\":"
    case .date: ",\"date\":"
    case .age: ",\"age\":"
    case .dir: ",\"dir\":"
    case .id: ",\"id\":"
    case .bytes: ",\"bytes\":"
    case .result: ",\"result\":"
    case .kind: ",\"kind\":"
    case .since: ",\"since\":"
    case .beat: ",\"beat\":"
    case .code: ",\"code\":"
    case .by: ",\"by\":"
    case .req: ",\"req\":"
    case .attempt: ",\"try\":"
    case .hop: ",\"hop\":"
    case .method: ",\"method\":"
    case .replayable: ",\"replayable\":"
    case .key: ",\"key\":"
    case .type: ",\"type\":"
    case .sse: ",\"sse\":"
    case .done: ",\"done\":"
    case .differs: ",\"differs\":"
    case .sent: ",\"sent\":"
    case .duration: ",\"for\":"
    case .unit: ",\"unit\":"
    case .why: ",\"why\":"
    case .cursor: ",\"cursor\":"
    case .n: ",\"n\":"
    case .rev: ",\"rev\":"
    case .ms: ",\"ms\":"
    case .ok: ",\"ok\":"
    case .partial: ",\"partial\":"
    case .to: ",\"to\":"
    case .session: ",\"session\":"
    case .slept: ",\"slept\":"
    case .step: ",\"step\":"
    case .packets: ",\"packets\":"
    case .events: ",\"events\":"
    case .at: ",\"at\":"
    case .sentBytes: ",\"out\":"
    case .received: ",\"in\":"
    case .note: ",\"note\":"
    case .rule: ",\"rule\":"
    case .count: ",\"count\":"
    case .counts: ",\"counts\":"
    case .countPackets: "\"packets\":"
    case .countIgnored: "\"ignored\":"
    case .countNotIP: "\"notIP\":"
    case .countNotTCP: "\"notTCP\":"
    case .countCut: "\"cut\":"
    case .countDamaged: "\"damaged\":"
    case .countBadFragment: "\"badFragment\":"
    case .countCiphered: "\"ciphered\":"
    case .countNested: "\"nested\":"
    case .countLinkType: "\"linkType\":"
    case .countDatagrams: "\"datagrams\":"
    case .countConnections: "\"connections\":"
    case .countGaps: "\"gaps\":"
    case .countOpaque: "\"opaque\":"
    case .countUndecodable: "\"undecodable\":"
    case .countDropped: "\"dropped\":"
    }
  }

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
  var isOfCounts: Bool { rawValue >= EventKey.countPackets.rawValue }

  /// The key as one bit of a set: of one set the keys of `counts`, of another all others.
  @inline(__always)
  var bit: UInt64 {
    1 << UInt64(isOfCounts ? rawValue &- EventKey.countPackets.rawValue : rawValue)
  }
}
