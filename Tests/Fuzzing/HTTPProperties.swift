import GoldwireProtocols
import GoldwireTestSupport

/// Both directions of a connection tell the same whole and in pieces; with holes they tell no more than bytes came.
enum HTTPProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    var limits = HTTP1Limits()
    if choice & 1 == 1 {
      limits.headBytes = 150
      limits.chunkLineBytes = 12
      limits.trailerBytes = 20
      limits.outstanding = 3
    }
    let cut = input.cut()
    let requests = input.field()
    let responses = input.rest
    let whole = try tell(limits, [requests], [responses])
    let pieces = try tell(limits, cut.pieces(of: requests), cut.pieces(of: responses))
    try hold(whole == pieces, "the same whole and in pieces:\n\(whole.told)\n\(pieces.told)")
    if choice & 2 == 2 { try lose(limits, cut, requests, responses) }
    for bytes in [requests, responses] { _ = HTTP1Recognition.judge(bytes.span) }
  }

  private static func tell(
    _ limits: HTTP1Limits, _ requests: [[UInt8]], _ responses: [[UInt8]]
  ) throws(FuzzFinding) -> HTTPTalk {
    var talk = HTTPTalk(limits)
    for piece in requests { try talk.take(.requests, piece) }
    for piece in responses { try talk.take(.responses, piece) }
    talk.finish()
    return talk
  }

  /// Both directions in turns, with holes anywhere.
  private static func lose(
    _ limits: HTTP1Limits, _ cut: FuzzCut, _ requests: [UInt8], _ responses: [UInt8]
  ) throws(FuzzFinding) {
    var generator = cut.generator
    var talk = HTTPTalk(limits)
    let pieces = [cut.pieces(of: requests), cut.pieces(of: responses)]
    var losses = 0
    for index in 0..<max(pieces[0].count, pieces[1].count) {
      for (role, pieces) in [(HTTP1Role.requests, pieces[0]), (.responses, pieces[1])] {
        guard index < pieces.count else { continue }
        if Int.random(in: 0..<8, using: &generator) == 0 {
          let counts = [nil, 0, 1, 2, 5, 100, Int.max, -1]
          talk.lose(role, counts[Int.random(in: 0..<counts.count, using: &generator)])
          losses += 1
        }
        try talk.take(role, pieces[index])
      }
    }
    talk.finish()
    try hold(
      talk.events <= 4 * (requests.count + responses.count + losses) + 50, "events are bounded by bytes")
  }
}

/// What the two decoders of a connection tell, freed of how the bytes were cut.
struct HTTPTalk: Equatable {
  enum Told: Equatable {
    case head(HTTP1Role, HTTP1Head, [UInt8])
    case body(HTTP1Role, [UInt8])
    case other(HTTP1Role, HTTP1Event)
    case left(HTTP1Role, [UInt8])
  }

  private(set) var told: [Told] = []
  private(set) var events = 0
  private var exchanges = HTTP1Exchanges()
  private var decoders: [HTTP1Decoder]

  init(_ limits: HTTP1Limits) {
    decoders = [HTTP1Decoder(.requests, limits: limits), HTTP1Decoder(.responses, limits: limits)]
  }

  static func == (left: HTTPTalk, right: HTTPTalk) -> Bool { left.told == right.told }

  mutating func take(_ role: HTTP1Role, _ piece: [UInt8]) throws(FuzzFinding) {
    let index = role == .requests ? 0 : 1
    var offset = 0
    while let event = decoders[index].next(piece.span, &offset, exchanges: &exchanges) {
      try hold(offset >= 0 && offset <= piece.count, "the offset stays within the bytes")
      note(event, role, piece)
      try hold(events < 100 + 100 * told.count + 8 * piece.count * 1_000, "there is an end")
    }
    if decoders[index].isSwitched {
      add(.left(role, Array(piece[offset...])))
    } else {
      try hold(offset == piece.count, "all bytes are taken")
    }
    try hold(
      decoders[index].held.count <= decoders[index].limits.headBytes + 8_192 || decoders[index].isSwitched,
      "no more is held than the limit")
  }

  mutating func lose(_ role: HTTP1Role, _ count: Int?) {
    _ = decoders[role == .requests ? 0 : 1].lost(count, exchanges: &exchanges)
  }

  mutating func finish() {
    for role in [HTTP1Role.requests, .responses] {
      while let event = decoders[role == .requests ? 0 : 1].finish() { note(event, role, []) }
    }
  }

  private mutating func note(_ event: HTTP1Event, _ role: HTTP1Role, _ piece: [UInt8]) {
    events += 1
    let decoder = decoders[role == .requests ? 0 : 1]
    switch event {
    case .head:
      let bytes = decoder.withHead(piece.span) { head in head.indices.map { head[$0] } }
      add(.head(role, decoder.head, bytes))
      _ = decoder.withHead(piece.span) { head in
        RetryAfter.read(head.extracting(decoder.head.retryAfter.bounds), now: 1_700_000_000)
      }
    case .body(let range): add(.body(role, Array(piece[range])))
    case .heldBody(let count): add(.body(role, Array(decoder.held[..<count])))
    case .switched:
      add(.other(role, event))
      add(.left(role, decoder.held))
    case .end, .broken, .resumed, .limit: add(.other(role, event))
    }
  }

  /// Adds what was told; bytes join what they go on from.
  private mutating func add(_ new: Told) {
    switch (told.last, new) {
    case (.body(let old, let bytes)?, .body(let role, let more)) where old == role:
      told[told.count - 1] = .body(role, bytes + more)
    case (.left(let old, let bytes)?, .left(let role, let more)) where old == role:
      told[told.count - 1] = .left(role, bytes + more)
    default:
      if case .left(_, let bytes) = new, bytes.isEmpty { return }
      told.append(new)
    }
  }
}
