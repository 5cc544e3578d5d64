/// A check that bytes which call themselves a trace hold only the closed vocabulary and pseudonyms.
///
/// A trace that passes has nowhere to hold a secret: each line is, byte for byte, what the writer makes of what
/// the reader understood, so no key, word, blank or escape of another kind is in it.
public enum TraceAudit {
  /// Something that a trace should not hold.
  public struct Finding: Equatable, Sendable {
    /// What kind of thing it is.
    public enum Kind: String, CaseIterable, Sendable {
      /// Not readable as a trace.
      case unreadable
      /// Not as the writer makes it: blanks, another order, escapes, keys or words of another kind.
      case notCanonical
      /// An event or a key that the format does not have.
      case unknown
      /// The tool's name is not of the form that goldwire writes.
      case tool
      /// Pseudonyms that do not count from 1 in order of appearance.
      case pseudonym
      /// A last line without its end.
      case torn
    }

    /// The line, from 1.
    public var line: Int
    /// What kind of thing it is.
    public var kind: Kind
  }

  /// What a trace holds that it should not, in line order; at most `limit` findings.
  public static func findings(
    in bytes: [UInt8], limits: TraceLimits = TraceLimits(), atMost limit: Int = 1_000
  ) throws(FileError) -> [Finding] {
    var audit = LineAudit(limits: limits)
    var pieces = LinePieces(ByteInput(bytes: bytes, limits: limits.inflate), limits: limits)
    while audit.findings.count < limit {
      let range: Range<Int>?
      do { range = try pieces.next() } catch let error as FileError { throw error } catch {
        audit.note(.unreadable)
        break
      }
      guard let range else { break }
      // A carriage return before the line feed was cut off by the reader, and is no part of a trace.
      let end = range.upperBound
      let hasReturn = end < pieces.bytes.count && pieces.bytes[end] == 0x0D
      audit.check(pieces.bytes.span.extracting(range), isTorn: pieces.isLastTorn, isForeign: hasReturn)
    }
    if pieces.input.isTruncated { audit.note(.torn) }
    return Array(audit.findings.prefix(limit))
  }
}

/// The audit of one line after the other.
private struct LineAudit {
  var findings: [TraceAudit.Finding] = []
  private var number = 0
  private var parser: LineParser
  private var pseudonyms = PseudonymOrder()
  private let limits: TraceLimits

  init(limits: TraceLimits) {
    self.limits = limits
    parser = LineParser(limits: limits)
  }

  mutating func note(_ kind: TraceAudit.Finding.Kind) {
    findings.append(TraceAudit.Finding(line: number, kind: kind))
  }

  mutating func check(_ bytes: Span<UInt8>, isTorn: Bool, isForeign: Bool) {
    number += 1
    if isTorn { note(.torn) }
    if number == 1 { checkHeader(bytes, isForeign) } else { checkEvent(bytes, isForeign) }
  }

  private mutating func checkHeader(_ bytes: Span<UInt8>, _ isForeign: Bool) {
    guard let (header, unknown) = try? TraceHeader.read(bytes, limits: limits) else {
      return note(.unreadable)
    }
    if unknown > 0 { note(.unknown) }
    if !isToolOfGoldwire(header.tool) { note(.tool) }
    var canonical: [UInt8] = []
    canonical.append(header)
    if isForeign || !isSame(bytes, canonical) { note(.notCanonical) }
  }

  private mutating func checkEvent(_ bytes: Span<UInt8>, _ isForeign: Bool) {
    let before = parser.skipped
    let line: TraceLine?
    do throws(TraceError) { line = try parser.read(bytes) } catch { return note(.unreadable) }
    if parser.skipped != before { note(.unknown) }
    guard let line else { return }
    var canonical: [UInt8] = []
    canonical.append(line)
    if isForeign || !isSame(bytes, canonical) { note(.notCanonical) }
    if !pseudonyms.accepts(line) { note(.pseudonym) }
  }

  private func isSame(_ bytes: Span<UInt8>, _ canonical: [UInt8]) -> Bool {
    guard bytes.count + 1 == canonical.count else { return false }
    return bytes.indices.allSatisfy { bytes[$0] == canonical[$0] }
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
