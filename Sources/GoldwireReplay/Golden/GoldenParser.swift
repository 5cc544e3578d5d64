internal import GoldwireBytes
internal import GoldwireTrace

/// The reader of golden files: strict, since a key that is read over would be a difference that is not seen.
enum GoldenParser {
  static func parse(_ bytes: [UInt8]) throws(TraceError) -> Golden {
    let span = bytes.span
    var header: GoldenHeader?
    var lines: [GoldenLine] = []
    var start = 0
    var number = 0
    while start < span.count {
      number += 1
      let end = span.firstIndex(of: 0x0A, from: start) ?? span.count
      let line = span.extracting(start..<end)
      start = end + 1
      try refuseConflict(line, number)
      if isBlank(line) {
        if header == nil { throw TraceError(line: number, column: 1, "expected a golden's first line") }
        continue
      }
      let value = try JSONValue.parse(line, line: number)
      if header == nil {
        header = try self.header(value)
      } else {
        lines.append(try self.line(value))
      }
    }
    guard let header else {
      throw TraceError(line: 1, column: 1, "expected a golden's first line, but the file is empty")
    }
    return Golden(header: header, lines: lines)
  }

  private static func refuseConflict(_ line: Span<UInt8>, _ number: Int) throws(TraceError) {
    guard line.count >= 7 else { return }
    let first = line[0]
    guard first == 0x3C || first == 0x3D || first == 0x3E || first == 0x7C else { return }
    for index in 1..<7 where line[index] != first { return }
    throw TraceError(
      line: number, column: 1, "has a merge conflict; resolve it, or take either side and update the golden")
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x20 && line[index] != 0x09 && line[index] != 0x0D {
      return false
    }
    return true
  }

  // MARK: The header

  static func header(_ value: JSONValue) throws(TraceError) -> GoldenHeader {
    var found = HeaderParts()
    for member in try value.members() { try found.take(member) }
    return try found.header(value)
  }

  private struct HeaderParts {
    var version: Int?
    var trace: String?
    var machine: ActionWord?
    var set: String?
    var parameters: JSONValue?
    var mode: GoldenHeader.Mode?
    var tick: TickMode?
    var detail: GoldenHeader.Detail?
    var assume: [GoldenHeader.Assumption] = []
    var unit: Unit?

    mutating func take(_ member: JSONValue.Member) throws(TraceError) {
      let value = member.value
      switch member.key {
      case "golden":
        version = try value.whole()
        if version != GoldenHeader.version {
          throw value.error("expected version \(GoldenHeader.version); a newer goldwire wrote this golden")
        }
      case "trace": trace = try name(value)
      case "machine":
        guard let word = ActionWord(try value.string()) else {
          throw value.error("expected a machine's name")
        }
        machine = word
      case "set": set = try name(value)
      case "parameters": parameters = value
      case "mode": mode = try value.word()
      case "tick":
        guard let mode = TickMode(try value.string()) else {
          throw value.error("expected \"exact\", \"recorded\" or \"every:\" and a duration")
        }
        tick = mode
      case "detail": detail = try value.word()
      case "assume":
        for element in try value.elements() { assume.append(try element.word()) }
      case "unit": unit = try value.word()
      default:
        throw TraceError(
          line: member.line, column: member.column,
          "unknown key; expected golden, trace, machine, set, parameters, mode, tick, detail, assume or unit")
      }
    }

    private func name(_ value: JSONValue) throws(TraceError) -> String {
      let text = try value.string()
      guard !text.isEmpty, text.utf8.count <= Golden.Limits.nameBytes else {
        throw value.error("expected a name of 1 to \(Golden.Limits.nameBytes) bytes")
      }
      return text
    }

    func header(_ value: JSONValue) throws(TraceError) -> GoldenHeader {
      guard version != nil else {
        throw value.error("expected the key \"golden\": this is no golden's first line")
      }
      guard let trace else { throw value.error("expected the key \"trace\"") }
      guard let machine else { throw value.error("expected the key \"machine\"") }
      guard (set == nil) != (parameters == nil) else {
        throw value.error("expected either \"set\" or \"parameters\"")
      }
      guard let mode else { throw value.error("expected the key \"mode\"") }
      guard let tick else { throw value.error("expected the key \"tick\"") }
      guard let unit else { throw value.error("expected the key \"unit\"") }
      let source: GoldenHeader.Parameters
      if let set {
        source = .set(set)
      } else if let parameters {
        source = .literal(try literal(parameters, machine))
      } else {
        source = .literal([:])
      }
      return GoldenHeader(
        trace: trace, machine: machine, parameters: source, mode: mode, tick: tick, detail: detail,
        assume: GoldenHeader.Assumption.allCases.filter(assume.contains), unit: unit)
    }

    private func literal(
      _ value: JSONValue, _ machine: ActionWord
    ) throws(TraceError) -> [ParameterName: ParameterValue] {
      guard let name = MachineName(rawValue: machine.description) else {
        guard try value.members().isEmpty else {
          throw value.error("expected no parameters of a machine of yours")
        }
        return [:]
      }
      return try ParameterTable(value, of: name)[name] ?? [:]
    }
  }
}
