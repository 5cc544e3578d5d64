internal import GoldwireBytes

extension [UInt8] {
  /// Appends the canonical bytes of a trace's first line, with its line feed.
  ///
  /// Of `tool`, what the format does not allow is left out.
  public mutating func append(_ header: TraceHeader) {
    put("{\"goldwire\":")
    put(TraceHeader.version)
    put(",\"tool\":")
    append(json: TraceHeader.cleanTool(header.tool))
    word(",\"source\":", header.source.rawValue)
    word(",\"unit\":", header.unit.rawValue)
    word(",\"clock\":", header.clock.rawValue)
    number(",\"grain\":", header.grain)
    number(",\"wall\":", header.wall)
    word(",\"at\":", header.at.rawValue)
    if !header.blind.isEmpty {
      put(",\"blind\":[")
      for (index, blind) in Blind.allCases.filter(header.blind.contains).enumerated() {
        word(index == 0 ? "" : ",", blind.rawValue)
      }
      put("]")
    }
    if let table = header.inForce {
      put(",\"inForce\":")
      append(table)
    }
    if let authority = header.inForceBy { word(",\"inForceBy\":", authority.rawValue) }
    if let beats = header.beats { word(",\"beats\":", beats.rawValue) }
    put("}\n")
  }

  mutating func put(_ text: StaticString) {
    append(addingCapacity: text.utf8CodeUnitCount) { out in out.put(text) }
  }

  mutating func put(_ number: Int) {
    append(addingCapacity: 20) { out in out.put(number) }
  }

  mutating func word(_ key: StaticString, _ word: String) {
    put(key)
    append(json: word)
  }

  private mutating func number(_ key: StaticString, _ number: Int?) {
    guard let number else { return }
    put(key)
    put(Swift.min(Swift.max(number, 0), TraceLimits.number))
  }
}

extension TraceHeader {
  /// The characters of `tool` that the format allows, at most ``TraceLimits/toolBytes``.
  static func cleanTool(_ tool: String) -> String {
    let allowed = tool.unicodeScalars.filter(isAllowedInTool).prefix(TraceLimits.toolBytes)
    return String(String.UnicodeScalarView(allowed))
  }

  /// Whether a character may stand in `tool`: a letter, a digit, a space, or one of `. - + _`.
  static func isAllowedInTool(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "-", "+", "_": true
    default: false
    }
  }
}
