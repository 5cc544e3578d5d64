extension TraceHeader {
  /// Reads a header from its line; gives how many keys it has that this version does not know.
  ///
  /// A newer major version is refused before anything else is looked at.
  static func read(
    _ line: Span<UInt8>, limits: TraceLimits
  ) throws(TraceError) -> (TraceHeader, unknownKeys: Int) {
    let json = try JSONValue.parse(line, limits: limits)
    let members = try json.members()
    guard let version = json["goldwire"] else {
      throw json.error("expected a trace's header with the key \"goldwire\"")
    }
    guard try version.whole(in: 1...TraceLimits.number) <= Self.version else {
      throw version.error(
        "the trace was written by a newer goldwire: expected major version \(Self.version); update goldwire")
    }
    var header = TraceHeader(
      tool: try tool(in: json), source: try json.required("source").word(),
      unit: try json.required("unit").word(), clock: try json.required("clock").word(),
      at: try json.required("at").word())
    var unknown = 0
    for member in members {
      switch member.key {
      case "goldwire", "tool", "source", "unit", "clock", "at": break
      case "grain": header.grain = try member.value.whole(in: Bounds.ordinal)
      case "wall": header.wall = try member.value.whole()
      case "blind": header.blind = try blind(member.value)
      case "inForce": header.inForce = try ParameterTable(member.value)
      case "inForceBy": header.inForceBy = try member.value.word()
      case "beats": header.beats = try member.value.word()
      default: unknown += 1
      }
    }
    return (header, unknown)
  }

  private static func tool(in json: JSONValue) throws(TraceError) -> String {
    let value = try json.required("tool")
    let tool = try value.string()
    guard !tool.isEmpty, tool.utf8.count <= TraceLimits.toolBytes,
      tool.unicodeScalars.allSatisfy(isAllowedInTool)
    else {
      throw value.error(
        "expected a tool and its version: 1 to \(TraceLimits.toolBytes) letters, digits, spaces, . - + or _")
    }
    return tool
  }

  private static func blind(_ value: JSONValue) throws(TraceError) -> [Blind] {
    var kinds: [Blind] = []
    for element in try value.elements() {
      let kind: Blind = try element.word()
      guard !kinds.contains(kind) else { throw element.error("expected each kind once") }
      kinds.append(kind)
    }
    return Blind.allCases.filter(kinds.contains)
  }
}

extension JSONValue {
  /// The value of a key; an error that names the key where it is absent.
  ///
  /// `key` must be a word of the format, since the error names it.
  public func required(_ key: StaticString) throws(TraceError) -> JSONValue {
    _ = try members()
    guard let value = self["\(key)"] else { throw error("expected the key \"\(key)\"") }
    return value
  }
}
