import GoldwireProtocols

/// What a decoder tells about bytes, as lines of text that do not depend on how the bytes were cut.
struct HTTP1Reading {
  var exchanges = HTTP1Exchanges()
  var requests: HTTP1Decoder
  var responses: HTTP1Decoder
  private(set) var lines: [String] = []
  private var body: [UInt8] = []
  /// The bytes that were left to another protocol.
  private(set) var left: [UInt8] = []
  /// The events seen, to notice a decoder that never stops.
  private(set) var events = 0

  init(limits: HTTP1Limits = HTTP1Limits()) {
    requests = HTTP1Decoder(.requests, limits: limits)
    responses = HTTP1Decoder(.responses, limits: limits)
  }

  /// Delivers one piece in one direction.
  mutating func take(_ role: HTTP1Role, _ piece: [UInt8]) {
    var decoder = role == .requests ? requests : responses
    var offset = 0
    while let event = decoder.next(piece.span, &offset, exchanges: &exchanges) {
      note(event, decoder, piece, offset)
    }
    if decoder.isSwitched { left += piece[offset...] } else { precondition(offset == piece.count) }
    if role == .requests { requests = decoder } else { responses = decoder }
  }

  mutating func take(_ role: HTTP1Role, _ text: String) { take(role, Array(text.utf8)) }

  /// Says that a direction ended.
  mutating func finish(_ role: HTTP1Role) {
    var decoder = role == .requests ? requests : responses
    while let event = decoder.finish() { note(event, decoder, [], 0) }
    if role == .requests { requests = decoder } else { responses = decoder }
  }

  /// Says that bytes are missing.
  mutating func lose(_ role: HTTP1Role, _ count: Int?) -> GapOutcome {
    role == .requests
      ? requests.lost(count, exchanges: &exchanges) : responses.lost(count, exchanges: &exchanges)
  }

  /// The lines, with a body that goes on.
  var told: [String] { body.isEmpty ? lines : lines + ["body " + String(decoding: body, as: UTF8.self)] }

  private mutating func note(_ event: HTTP1Event, _ decoder: HTTP1Decoder, _ piece: [UInt8], _ offset: Int) {
    events += 1
    if case .body(let range) = event {
      body += piece[range]
      return
    }
    if case .heldBody(let count) = event {
      body += decoder.held[..<count]
      return
    }
    if !body.isEmpty {
      lines.append("body " + String(decoding: body, as: UTF8.self))
      body = []
    }
    switch event {
    case .head: lines.append(text(decoder, piece))
    case .body, .heldBody: break
    case .end(let end):
      lines.append(
        "end \(end.bytes)" + (end.lost > 0 ? " lost \(end.lost)" : "") + (end.isComplete ? "" : " cut"))
    case .broken(let rule): lines.append(rule.rawValue)
    case .switched(let successor):
      left += decoder.held
      lines.append("switched \(successor)")
    case .resumed(let skipped): lines.append("resumed \(skipped)")
    case .limit(let name): lines.append("limit \(name)")
    }
  }

  private func text(_ decoder: HTTP1Decoder, _ piece: [UInt8]) -> String {
    let head = decoder.head
    let target = value(head.target, decoder, piece) ?? ""
    let number = head.exchange.map { "#\($0)" } ?? "#-"
    guard decoder.role == .responses else {
      return "\(number) \(head.method.rawValue) \(target) \(head.framing)"
    }
    return "\(number) \(head.status.map(String.init) ?? "?") to \(head.method.rawValue) \(head.framing)"
  }

  /// A value of the latest head.
  func value(_ range: ByteRange, _ decoder: HTTP1Decoder, _ piece: [UInt8]) -> String? {
    guard range.isPresent else { return nil }
    return decoder.withHead(piece.span) { head in
      let part = head.extracting(range.bounds)
      return String(decoding: part.indices.map { part[$0] }, as: UTF8.self)
    }
  }

  /// What one delivery in one direction tells.
  static func of(
    _ role: HTTP1Role, _ pieces: [[UInt8]], after requests: String = "", limits: HTTP1Limits = HTTP1Limits(),
    finishing: Bool = false
  ) -> [String] {
    var reading = HTTP1Reading(limits: limits)
    if !requests.isEmpty {
      reading.take(.requests, requests)
      reading.lines = []
    }
    for piece in pieces { reading.take(role, piece) }
    if finishing { reading.finish(role) }
    return reading.left.isEmpty
      ? reading.told : reading.told + ["left " + String(decoding: reading.left, as: UTF8.self)]
  }
}
