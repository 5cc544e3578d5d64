internal import GoldwireTrace

extension CausalReplay {
  /// The actions as a golden of mode `causal`, each with its grade, every parameter literal.
  public func golden(file: String, parameters source: GoldenHeader.Parameters? = nil) -> Golden {
    let header = GoldenHeader(
      trace: file, machine: ActionWord(parameters.machine.rawValue) ?? .note,
      parameters: source ?? .literal(parameters.values), mode: .causal, tick: .exact, assume: assume,
      unit: trace.header.unit)
    return Golden(header: header, lines: lines)
  }

  /// The lines of a golden, with the closing `end`.
  var lines: [GoldenLine] { actions.map(\.line) + [GoldenLine(.end, t: horizon)] }

  /// The actions as a comparison explains them: each with the first line that it rests on.
  var replayedActions: [ReplayedAction] {
    actions.map { ReplayedAction($0.line, cause: $0.lines.first) }
  }
}
