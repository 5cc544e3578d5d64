internal import GoldwireBytes
public import GoldwireTrace

/// A check that a golden, a configuration or a lock holds only the closed vocabulary, and names of what is there.
///
/// A golden's lines are, byte for byte, what the writer makes of what the reader understood. Its words are of closed
/// sets; the names in it are those of its own file, of a set in the configuration, and of goldens on the disk.
public enum GoldenAudit {
  /// What a golden holds that it should not, in line order.
  ///
  /// `file` is its file name, `sets` the names of the sets that it may refer to.
  public static func findings(inGolden bytes: [UInt8], file: String, sets: Set<String>) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    var numbers = GoldenNumbers(.us)
    let isWhole = eachLine(bytes) { line, number in
      do throws(TraceError) {
        let value = try JSONValue.parse(line, line: number)
        var canonical: [UInt8] = []
        if number == 1 {
          let header = try GoldenParser.header(value)
          numbers = GoldenNumbers(header.unit)
          canonical.append(header)
          findings += check(header, value, file, sets)
        } else {
          let action = try GoldenParser.line(value)
          canonical.append(action)
          findings += check(action, value)
          if let (key, kind) = numbers.wrong(in: action) { findings.append(value.finding(at: key, kind)) }
        }
        compare(line, canonical, number, &findings)
      } catch {
        findings.append(finding(error, number))
      }
    }
    finish(bytes, isWhole, &findings)
    return findings
  }

  /// What a configuration holds that it should not.
  ///
  /// Names of sets and labels are free, since a person gave them.
  public static func findings(inConfiguration bytes: [UInt8]) -> [AuditFinding] {
    do {
      let value = try JSONValue.parse(bytes)
      _ = try Configuration(bytes: bytes)
      let labels = try value["labels"]?.members() ?? []
      return labels.filter { !isChannel($0.key) }.map {
        AuditFinding(line: $0.line, column: $0.column, kind: .word)
      }
    } catch let error as ReplayError {
      return [finding(TraceError(line: error.line, column: error.column, error.message), 1)]
    } catch {
      return [finding((error as? TraceError) ?? TraceError("expected a configuration"), 1)]
    }
  }

  /// What a lock holds that it should not, in line order; `isThere` tells whether a golden's path leads to one.
  public static func findings(inLock bytes: [UInt8], isThere: (String) -> Bool) -> [AuditFinding] {
    let first = Lock().bytes()
    var findings: [AuditFinding] = []
    var last: String?
    let isWhole = eachLine(bytes) { line, number in
      guard number > 1 else { return compare(line, first, number, &findings) }
      do throws(TraceError) {
        let value = try JSONValue.parse(line, line: number)
        for member in try value.members() where !["golden", "machine", "parameters"].contains(member.key) {
          throw TraceError(line: member.line, column: member.column, "unknown key")
        }
        let copy = line.copy
        guard let lock = try? Lock(bytes: first + copy), let path = lock.entries.keys.first else {
          throw value.error("expected a golden, its machine and its parameters")
        }
        compare(line, Array(lock.bytes().dropFirst(first.count)), number, &findings)
        if let last, !last.utf8.lexicographicallyPrecedes(path.utf8) {
          findings.append(AuditFinding(line: number, column: 1, kind: .notCanonical))
        }
        last = path
        if !isThere(path) {
          findings.append(
            AuditFinding(line: number, column: value["golden"]?.column ?? 1, kind: .name))
        }
      } catch {
        findings.append(finding(error, number))
      }
    }
    finish(bytes, isWhole, &findings)
    return findings
  }

  // MARK: Words and names

  private static let actions: Set<ActionWord> = [
    .ping, .close, .ended, .send, .wait, .stop, .connect, .deliver, .skip, .commit, .note, .sync, .unsync,
    .end,
  ]

  private static let causes: Set<ActionWord> = [
    "pongTimeout", "connectTimeout", "staleOnResume", "userClosed", "refused", "reset", "fin", "error",
    "timeout", "peerClosed", "sendFailed", "superseded", "delivered", "notRetryable", "notReplayable",
    "budget",
    "deferred", "cancelled", "stale", "transport", "noContent", "status", "type", "failures", "conflict",
  ]

  private static func check(
    _ header: GoldenHeader, _ value: JSONValue, _ file: String, _ sets: Set<String>
  ) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    let stem = GoldenName.stem(ofTrace: header.trace)
    if stem == nil || GoldenName(file, stems: [stem ?? ""])?.stem != stem {
      findings.append(value.finding(at: "trace", .name))
    }
    if header.builtIn == nil { findings.append(value.finding(at: "machine", .word)) }
    if case .set(let name) = header.parameters, !sets.contains(name) {
      findings.append(value.finding(at: "set", .name))
    }
    return findings
  }

  private static func check(_ action: GoldenLine, _ value: JSONValue) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    if !actions.contains(action.action) { findings.append(value.finding(at: "do", .word)) }
    if let why = action.why, !causes.contains(why) { findings.append(value.finding(at: "why", .word)) }
    return findings
  }

  private static func isChannel(_ text: String) -> Bool {
    Channel.Family.allCases.contains { family in
      let digits = text.utf8.dropFirst(family.rawValue.utf8.count)
      return text.hasPrefix(family.rawValue) && (1...16).contains(digits.count) && digits.first != 0x30
        && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
  }

  // MARK: Lines

  /// Calls `body` with each line and its number; false if the last one has no line feed.
  private static func eachLine(_ bytes: [UInt8], _ body: (Span<UInt8>, Int) -> Void) -> Bool {
    var (start, number) = (0, 0)
    while start < bytes.count {
      number += 1
      let end = bytes.span.firstIndex(of: 0x0A, from: start)
      body(bytes.span.extracting(start..<(end ?? bytes.count)), number)
      guard let end else { return false }
      start = end + 1
    }
    return true
  }

  private static func finish(_ bytes: [UInt8], _ isWhole: Bool, _ findings: inout [AuditFinding]) {
    if bytes.isEmpty { findings.append(AuditFinding(line: 1, column: 1, kind: .unreadable)) }
    guard !isWhole else { return }
    let line = bytes.lazy.filter { $0 == 0x0A }.count + 1
    let start = (bytes.lastIndex(of: 0x0A) ?? -1) + 1
    findings.append(AuditFinding(line: line, column: bytes.count - start + 1, kind: .torn))
  }

  private static func compare(
    _ line: Span<UInt8>, _ canonical: [UInt8], _ number: Int, _ findings: inout [AuditFinding]
  ) {
    guard let difference = AuditFinding.firstDifference(line, canonical.span) else { return }
    findings.append(AuditFinding(line: number, column: difference + 1, kind: .notCanonical))
  }

  private static func finding(_ error: TraceError, _ number: Int) -> AuditFinding {
    let isUnknown = error.message.hasPrefix("unknown key")
    return AuditFinding(
      line: max(error.line, number), column: max(error.column, 1), kind: isUnknown ? .unknown : .unreadable,
      detail: isUnknown ? nil : error.message)
  }
}

extension JSONValue {
  /// A finding at the value of a key.
  fileprivate func finding(at key: String, _ kind: AuditFinding.Kind) -> AuditFinding {
    let value = self[key] ?? self
    return AuditFinding(line: value.line, column: value.column, kind: kind)
  }
}

extension Span where Element == UInt8 {
  /// A copy of the bytes.
  fileprivate var copy: [UInt8] {
    var copy: [UInt8] = []
    copy.append(self)
    return copy
  }
}
