import GoldwireBytes

/// Reads a head in one pass over its lines.
enum HeadParser {
  enum Outcome: Equatable {
    /// The head ends before this index.
    case complete(Int)
    /// The bytes end before the head does.
    case incomplete
    /// No message of this role starts here.
    case foreign
    /// The head is longer than allowed.
    case tooLong
  }

  /// Reads the head at `start` into a fresh one; its facts are meaningful only if it is complete.
  static func parse(
    _ bytes: Span<UInt8>, from start: Int, role: HTTP1Role, isStrict: Bool, limit: Int,
    into head: inout HTTP1Head, rules: inout RuleList
  ) -> Outcome {
    switch StartLine.prefix(bytes, from: start, role: role, isStrict: isStrict) {
    case .no: return .foreign
    case .more: return bytes.count &- start >= limit ? .tooLong : .incomplete
    case .yes: break
    }
    let most = bytes.count &- start > limit ? start &+ limit : bytes.count
    guard var line = line(bytes, from: start, to: most, rules: &rules) else {
      return most &- start < limit ? .incomplete : .tooLong
    }
    guard StartLine.isWhole(bytes, start..<line.end, role: role) else { return .foreign }
    let fields = FieldReader(start: start)
    fields.startLine(bytes, start..<line.end, role: role, into: &head, rules: &rules)
    while true {
      let lineStart = line.next
      var (end, colon) = bytes.firstLineEnd(from: lineStart, noting: 0x3A)
      if end >= 0, end &+ 1 < most, bytes.be16(at: end) == 0x0D0A {
        line = (end, end &+ 2)
      } else {
        // Another line end than the usual one, or none.
        guard let first = self.line(bytes, from: lineStart, to: most, rules: &rules) else {
          return most &- start < limit ? .incomplete : .tooLong
        }
        line = first
        colon = -1
      }
      if line.end == lineStart {
        head.bytes = line.next &- start
        return .complete(line.next)
      }
      let isFolded = StartLine.isBlank(bytes[lineStart])
      while line.next < most, StartLine.isBlank(bytes[line.next]) {
        rules.add(.httpFold)
        colon = -1
        guard let more = self.line(bytes, from: line.next, to: most, rules: &rules) else {
          return most &- start < limit ? .incomplete : .tooLong
        }
        line = more
      }
      if isFolded {
        rules.add(.httpMessage)
      } else {
        fields.field(bytes, lineStart..<line.end, colon: colon, into: &head, rules: &rules)
      }
    }
  }

  /// The end of the line at `start` without its line end, and the start of the next; nil if it does not end before `most`.
  private static func line(
    _ bytes: Span<UInt8>, from start: Int, to most: Int, rules: inout RuleList
  ) -> (end: Int, next: Int)? {
    var from = start
    while let hit = bytes.firstLineEnd(from: from), hit < most {
      if bytes[hit] == 0x0A { return (hit, hit &+ 1) }
      guard hit &+ 1 < most else { return nil }
      if bytes[hit &+ 1] == 0x0A { return (hit, hit &+ 2) }
      rules.add(.httpMessage)
      from = hit &+ 1
    }
    return nil
  }
}
