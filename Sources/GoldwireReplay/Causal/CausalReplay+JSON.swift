internal import GoldwireBytes
internal import GoldwireTrace

extension CausalReplay {
  /// The report as JSON Lines: an object for each action, one for each part, last the verdict.
  public func json() -> [UInt8] {
    var bytes: [UInt8] = []
    for action in actions { append(action, to: &bytes) }
    for part in parts { append(part, to: &bytes) }
    bytes.put("{\"machine\":\"\(parameters.machine.rawValue)\",\"parameters\":")
    bytes.append(ParameterTable([parameters.machine: parameters.values]), of: parameters.machine)
    if let inForce {
      bytes.put(",\"inForce\":")
      bytes.append(ParameterTable([inForce.machine: inForce.values]), of: inForce.machine)
    }
    bytes.put(",\"assume\":{\"pingRate\":\"\(assumptions.pingRate.rawValue)\"")
    if let idle = assumptions.idle { bytes.put(",\"idle\":\"\(idle)\"") }
    bytes.put("},\"remarks\":")
    append(remarks, to: &bytes)
    bytes.put(",\"verdict\":\"\(verdict.rawValue)\",\"status\":\(verdict.status.rawValue)}\n")
    return bytes
  }

  private func append(_ action: CausalAction, to bytes: inout [UInt8]) {
    bytes.put("{\"action\":")
    bytes.append(object: action.line)
    bytes.put(
      ",\"earliest\":\(action.earliest),\"latest\":\(action.latest),\"proof\":\"\(action.proof.rawValue)\"")
    append(action.lines, to: &bytes)
    bytes.put("}\n")
  }

  private func append(_ lines: [Int], to bytes: inout [UInt8]) {
    let numbers = lines.map { String(trace.lineNumber(at: $0)) }
    bytes.put(",\"lines\":[\(numbers.joined(separator: ","))]")
  }

  private func append(_ part: CausalPart, to bytes: inout [UInt8]) {
    bytes.put("{\"ch\":\"\(part.channel)\"")
    if let req = part.req { bytes.put(",\"req\":\(req)") }
    bytes.put(",\"verdict\":\"\(part.verdict.rawValue)\",\"grades\":{")
    bytes.put(part.grades.map { "\"\($0.grade.rawValue)\":\($0.count)" }.joined(separator: ","))
    bytes.put("},\"branches\":[")
    for (index, branch) in part.branches.enumerated() {
      bytes.put("\(index > 0 ? "," : ""){\"kind\":\"\(branch.kind.rawValue)\",\"action\":")
      bytes.append(object: branch.line)
      bytes.put(",\"earliest\":\(branch.earliest),\"latest\":\(branch.latest)")
      bytes.put(",\"worlds\":\(branch.worlds),\"of\":\(branch.of)")
      append(branch.lines, to: &bytes)
      bytes.put("}")
    }
    bytes.put("],\"reasons\":")
    append(part.reasons, to: &bytes)
    bytes.put("}\n")
  }

  private func append(_ texts: [String], to bytes: inout [UInt8]) {
    bytes.put("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.put(",") }
      bytes.append(json: text)
    }
    bytes.put("]")
  }
}
