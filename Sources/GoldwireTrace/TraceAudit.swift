/// A check that bytes which call themselves a trace hold only the closed vocabulary and pseudonyms.
///
/// A trace that passes has nowhere to hold a secret: each line is, byte for byte, what the writer makes of what
/// the reader understood, so no key, word, blank or escape of another kind is in it.
public enum TraceAudit {
  /// What a trace holds that it should not, in line order; at most `limit` findings.
  public static func findings(
    in bytes: [UInt8], limits: TraceLimits = TraceLimits(), atMost limit: Int = 1_000
  ) throws(FileError) -> [AuditFinding] {
    try findings(in: ByteInput(bytes: bytes, limits: limits.inflate), limits: limits, atMost: limit)
  }

  /// What a trace that is read from a file holds that it should not, in line order; at most `limit` findings.
  public static func findings(
    in input: consuming ByteInput, limits: TraceLimits = TraceLimits(), atMost limit: Int = 1_000
  ) throws(FileError) -> [AuditFinding] {
    var audit = LineAudit(limits: limits)
    var pieces = LinePieces(input, limits: limits)
    while audit.findings.count < limit {
      let range: Range<Int>?
      do { range = try pieces.next() } catch let error as FileError { throw error } catch {
        if audit.isEmpty, isCapture(pieces.bytes.span) { return [capture] }
        audit.noteUnread(error as? TraceError)
        break
      }
      guard let range else { break }
      if audit.isEmpty, isCapture(pieces.bytes.span) { return [capture] }
      // A carriage return before the line feed was cut off by the reader, and is no part of a trace.
      let end = range.upperBound
      let hasReturn = end < pieces.bytes.count && pieces.bytes[end] == 0x0D
      audit.check(pieces.bytes.span.extracting(range), isTorn: pieces.isLastTorn, isForeign: hasReturn)
    }
    if pieces.input.isTruncated { audit.note(.torn, 1) }
    if audit.isEmpty { audit.noteUnread(nil) }
    return Array(audit.findings.prefix(limit))
  }

  /// The one finding in a capture: all else in it would be one too.
  private static let capture = AuditFinding(
    line: 1, column: 1, kind: .unreadable,
    detail: "this is a capture of packets, and no trace; goldwire record makes a trace of it")

  /// Whether a file begins as a pcap, in either order and resolution, or as a pcapng does.
  private static func isCapture(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 4 else { return false }
    return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0xA1, 0xB2, 0xC3, 0xD4), (0xD4, 0xC3, 0xB2, 0xA1): true
    case (0xA1, 0xB2, 0x3C, 0x4D), (0x4D, 0x3C, 0xB2, 0xA1): true
    case (0x0A, 0x0D, 0x0D, 0x0A): true
    default: false
    }
  }
}

/// The audit of one line after the other.
private struct LineAudit {
  var findings: [AuditFinding] = []
  private var number = 0
  private var parser: LineParser
  private var pseudonyms = PseudonymOrder()
  private var numbers: NumberAudit?
  private let limits: TraceLimits

  init(limits: TraceLimits) {
    self.limits = limits
    parser = LineParser(limits: limits)
  }

  /// Whether there was no line at all.
  var isEmpty: Bool { number == 0 && findings.isEmpty }

  mutating func note(_ kind: AuditFinding.Kind, _ column: Int) {
    findings.append(AuditFinding(line: max(number, 1), column: column, kind: kind))
  }

  /// Notes a line that cannot be read, at the place that the reader names.
  mutating func noteUnread(_ error: TraceError?) {
    let line = max(error?.line ?? 0, number, 1)
    findings.append(
      AuditFinding(line: line, column: max(error?.column ?? 1, 1), kind: .unreadable, detail: error?.message))
  }

  mutating func check(_ bytes: Span<UInt8>, isTorn: Bool, isForeign: Bool) {
    number += 1
    if isTorn { note(.torn, bytes.count + 1) }
    if number == 1 { checkHeader(bytes, isForeign) } else { checkEvent(bytes, isForeign) }
  }

  private mutating func checkHeader(_ bytes: Span<UInt8>, _ isForeign: Bool) {
    let (header, unknown): (TraceHeader, Int)
    do throws(TraceError) { (header, unknown) = try TraceHeader.read(bytes, limits: limits) } catch {
      return noteUnread(error)
    }
    var canonical: [UInt8] = []
    canonical.append(header)
    compare(bytes, canonical, isForeign, hasUnknown: unknown > 0)
    if !isToolOfGoldwire(header.tool) { note(.tool, column(of: "tool", bytes)) }
    if let key = NumberAudit.wrongKey(of: header) { note(.number, column(of: key, bytes)) }
    numbers = NumberAudit(header)
  }

  private mutating func checkEvent(_ bytes: Span<UInt8>, _ isForeign: Bool) {
    let before = parser.skipped
    let line: TraceLine?
    do throws(TraceError) { line = try parser.read(bytes) } catch {
      var placed = error
      placed.line = number
      return noteUnread(placed)
    }
    guard let line else { return note(.unknown, column(of: "ev", bytes)) }
    var canonical: [UInt8] = []
    canonical.append(line)
    compare(bytes, canonical, isForeign, hasUnknown: parser.skipped != before)
    if !pseudonyms.accepts(line) { note(.pseudonym, column(of: line.pseudonymKey, bytes)) }
    if let key = numbers?.wrongKey(of: line) { note(.number, column(of: key, bytes)) }
  }

  /// Notes where a line is not what the writer makes: an unknown key, or another kind of writing.
  private mutating func compare(
    _ bytes: Span<UInt8>, _ canonical: [UInt8], _ isForeign: Bool, hasUnknown: Bool
  ) {
    let difference = AuditFinding.firstDifference(bytes, canonical.span)
    if hasUnknown {
      let members = (try? JSONValue.parse(bytes, limits: limits).members()) ?? []
      note(.unknown, AuditFinding.column(of: difference ?? 0, members))
    } else if let difference {
      note(.notCanonical, difference + 1)
    } else if isForeign {
      note(.notCanonical, bytes.count + 1)
    }
  }

  /// Where the value of a key begins; 1 where that cannot be told.
  private func column(of key: String, _ bytes: Span<UInt8>) -> Int {
    (try? JSONValue.parse(bytes, limits: limits))?[key]?.column ?? 1
  }

  /// Whether a tool is `goldwire` and a version of numbers with dots, or a hand.
  private func isToolOfGoldwire(_ tool: String) -> Bool {
    if tool == "hand" { return true }
    guard tool.hasPrefix("goldwire ") else { return false }
    let parts = tool.dropFirst("goldwire ".count).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3
      && parts.allSatisfy { (1...4).contains($0.count) && $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
  }
}

extension TraceLine {
  /// The key that holds the line's pseudonym.
  fileprivate var pseudonymKey: String {
    switch event {
    case .httpSend: "key"
    case .sseConnect, .sseCommit: "cursor"
    default: "id"
    }
  }
}

/// Whether pseudonyms come in the order of their first appearance in each channel.
private struct PseudonymOrder {
  private var ids: [Channel: Int] = [:]
  private var keys: [Channel: Int] = [:]

  mutating func accepts(_ line: TraceLine) -> Bool {
    guard let channel = line.channel else { return true }
    switch line.event {
    case .httpSend(let send): return send.key.map { admit($0, channel, &keys) } ?? true
    // A reader that began in the middle knows cursors from before; they take the next number like any other.
    case .sseConnect(let cursor): return cursor.map { admit($0, channel, &ids) } ?? true
    case .sseEvent(_, let id, _, _): return id.map { admit($0, channel, &ids) } ?? true
    case .sseID(let id), .sseCommit(let id): return admit(id, channel, &ids)
    default: return true
    }
  }

  private func admit(_ number: Int, _ channel: Channel, _ table: inout [Channel: Int]) -> Bool {
    let known = table[channel, default: 0]
    if number <= known { return true }
    table[channel] = number
    return number == known + 1
  }
}
