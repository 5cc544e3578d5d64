import GoldwireBytes

/// Takes the facts of one start line and field line after another.
struct FieldReader {
  /// Where the head starts in the span.
  let start: Int

  /// Reads a start line that was found to be one.
  func startLine(
    _ bytes: Span<UInt8>, _ line: Range<Int>, role: HTTP1Role, into head: inout HTTP1Head,
    rules: inout RuleList
  ) {
    switch role {
    case .requests: requestLine(bytes, line, into: &head, rules: &rules)
    case .responses: statusLine(bytes, line, into: &head, rules: &rules)
    }
  }

  private func requestLine(
    _ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout HTTP1Head, rules: inout RuleList
  ) {
    let methodEnd = bytes.firstBlank(in: line)
    head.method = FieldReader.method(bytes, line.lowerBound..<methodEnd)
    let version = StartLine.lastWord(bytes, line)
    minor(bytes, version, into: &head, rules: &rules)
    let target = ListElements.trim(bytes, methodEnd..<max(methodEnd, version.lowerBound))
    head.target = place(target)
    if target.isEmpty || bytes.firstBlank(in: target) < target.upperBound { rules.add(.httpTarget) }
  }

  private func statusLine(
    _ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout HTTP1Head, rules: inout RuleList
  ) {
    var index = line.lowerBound
    while index < line.upperBound, !StartLine.isBlank(bytes[index]) { index &+= 1 }
    minor(bytes, line.lowerBound..<index, into: &head, rules: &rules)
    while index < line.upperBound, StartLine.isBlank(bytes[index]) { index &+= 1 }
    let digits = index
    while index < line.upperBound, !StartLine.isBlank(bytes[index]) { index &+= 1 }
    if case .number(let status) = WholeNumber.read(bytes, digits..<index) { head.status = status }
    if head.status == nil || index &- digits != 3 { rules.add(.httpStatusLine) }
    head.target = place(ListElements.trim(bytes, index..<line.upperBound))
  }

  private func minor(
    _ bytes: Span<UInt8>, _ version: Range<Int>, into head: inout HTTP1Head, rules: inout RuleList
  ) {
    let digit = version.lowerBound &+ 7
    if version.count == 8, bytes[digit] >= 0x30, bytes[digit] <= 0x39 {
      head.minor = Int(bytes[digit] &- 0x30)
    } else {
      rules.add(.httpVersion)
    }
  }

  /// Reads one field line, its folded continuations included; `known` is where its first colon stands, or -1.
  @inline(__always)
  func field(
    _ bytes: Span<UInt8>, _ line: Range<Int>, colon known: Int, into head: inout HTTP1Head,
    rules: inout RuleList
  ) {
    let colon = known >= 0 ? known : FieldReader.colon(bytes, line)
    guard colon < line.upperBound, colon > line.lowerBound else {
      rules.add(.httpField)
      return
    }
    var nameEnd = colon
    if StartLine.isBlank(bytes[colon &- 1]) {
      rules.add(.httpFieldName)
      while nameEnd > line.lowerBound, StartLine.isBlank(bytes[nameEnd &- 1]) { nameEnd &-= 1 }
    }
    let name = line.lowerBound..<nameEnd
    guard FieldReader.mayMatter(name.count, bytes[name.lowerBound]) else { return }
    take(bytes, name, ListElements.trim(bytes, (colon &+ 1)..<line.upperBound), into: &head)
  }

  /// Where the first colon of a line stands, or its end.
  @inline(never)
  private static func colon(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int {
    bytes.extracting(0..<line.upperBound).firstIndex(of: 0x3A, from: line.lowerBound) ?? line.upperBound
  }

  @inline(never)
  private func take(
    _ bytes: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>, into head: inout HTTP1Head
  ) {
    if !framing(bytes, name, value, into: &head) { facts(bytes, name, value, into: &head) }
  }

  private func framing(
    _ bytes: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>, into head: inout HTTP1Head
  ) -> Bool {
    switch name.count {
    case 14 where bytes.equals(folded: "content-length", in: name): head.addLength(bytes, value)
    case 17 where bytes.equals(folded: "transfer-encoding", in: name): head.addTransferCodings(bytes, value)
    case 10 where bytes.equals(folded: "connection", in: name): head.addConnection(bytes, value)
    case 7 where bytes.equals(folded: "upgrade", in: name): head.addUpgrade(bytes, value)
    case 16 where bytes.equals(folded: "content-encoding", in: name): head.addCodings(bytes, value)
    case 6 where bytes.equals(folded: "expect", in: name):
      if bytes.equals(folded: "100-continue", in: value) { head.facts.insert(.expectContinue) }
    case 6 where bytes.equals(folded: "accept", in: name): head.addAccept(bytes, value)
    case 12 where bytes.equals(folded: "content-type", in: name):
      head.contentType = head.contentType.isPresent ? head.contentType : place(value)
      if MediaType.isEventStream(bytes, value) { head.facts.insert(.eventStream) }
    case 11 where bytes.equals(folded: "retry-after", in: name): addRetryAfter(bytes, value, into: &head)
    case 24 where bytes.equals(folded: "sec-websocket-extensions", in: name):
      keep(value, in: &head.webSocketExtensions)
      head.extensions.add(bytes.extracting(value))
    default: return false
    }
    return true
  }

  private func facts(
    _ bytes: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>, into head: inout HTTP1Head
  ) {
    switch name.count {
    case 3 where bytes.equals(folded: "age", in: name): keep(value, in: &head.age)
    case 4 where bytes.equals(folded: "host", in: name):
      keep(value, in: &head.host)
      head.hostCount &+= 1
    case 4 where bytes.equals(folded: "date", in: name): keep(value, in: &head.date)
    case 8 where bytes.equals(folded: "location", in: name): keep(value, in: &head.location)
    case 13 where bytes.equals(folded: "last-event-id", in: name): keep(value, in: &head.lastEventID)
    case 13 where bytes.equals(folded: "authorization", in: name):
      keep(value, in: &head.authorization)
      head.facts.insert(.authorization)
    case 15 where bytes.equals(folded: "idempotency-key", in: name): keep(value, in: &head.idempotencyKey)
    case 17 where bytes.equals(folded: "sec-websocket-key", in: name): keep(value, in: &head.webSocketKey)
    case 22 where bytes.equals(folded: "sec-websocket-protocol", in: name):
      keep(value, in: &head.webSocketProtocol)
    default: break
    }
  }

  private func addRetryAfter(_ bytes: Span<UInt8>, _ value: Range<Int>, into head: inout HTTP1Head) {
    head.retryAfterCount &+= 1
    guard head.retryAfter.isPresent else {
      head.retryAfter = place(value)
      return
    }
    let first = head.retryAfter.bounds
    var differs = first.count != value.count
    for offset in 0..<min(first.count, value.count)
    where bytes[start &+ first.lowerBound &+ offset] != bytes[value.lowerBound &+ offset] { differs = true }
    if differs { head.facts.insert(.retryAfterDiffers) }
  }

  private func keep(_ value: Range<Int>, in place: inout ByteRange) {
    if !place.isPresent { place = self.place(value) }
  }

  private func place(_ range: Range<Int>) -> ByteRange {
    ByteRange((range.lowerBound &- start)..<(range.upperBound &- start))
  }

  /// Whether a name of so many bytes that begins with this one can be one of those that are looked for.
  ///
  /// Names are told apart again where they are read; this only passes over most others.
  @inline(__always)
  private static func mayMatter(_ count: Int, _ first: UInt8) -> Bool {
    let lengths = FieldReader.lengths[Int(first & 0x1F)]
    return count < 32 && lengths >> count & 1 == 1
  }

  /// The lengths of the names that begin with each letter, as bits, by the letter's place in the alphabet.
  private static let lengths: InlineArray<32, UInt32> = [
    0, 1 << 3 | 1 << 6 | 1 << 13, 0, 1 << 10 | 1 << 12 | 1 << 14 | 1 << 16, 1 << 4, 1 << 6, 0, 0, 1 << 4,
    1 << 15, 0, 0, 1 << 8 | 1 << 13, 0, 0, 0, 0, 0, 1 << 11, 1 << 17 | 1 << 22 | 1 << 24, 1 << 17, 1 << 7, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]

  private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) -> HTTPMethod {
    let word = bytes.extracting(range)
    switch range.count {
    case 3 where word.holds("GET", at: 0): return .get
    case 3 where word.holds("PUT", at: 0): return .put
    case 4 where word.holds("POST", at: 0): return .post
    case 4 where word.holds("HEAD", at: 0): return .head
    case 5 where word.holds("PATCH", at: 0): return .patch
    case 5 where word.holds("TRACE", at: 0): return .trace
    case 6 where word.holds("DELETE", at: 0): return .delete
    case 7 where word.holds("OPTIONS", at: 0): return .options
    case 7 where word.holds("CONNECT", at: 0): return .connect
    default: return .other
    }
  }
}
