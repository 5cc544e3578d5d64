package import GoldwireReplay
package import GoldwireTrace

extension Arguments {
  /// The values of `--set machine.key=value`, which may be repeated.
  package func overrides() throws(UsageError) -> ParameterTable {
    var table = ParameterTable()
    for text in values("set") {
      do throws(TraceError) { try table.set(option: text) } catch {
        throw self.error("--set: \(error.message)")
      }
    }
    return table
  }

  /// The parameters that `--in-force`, which may be repeated, says the client ran with; nil without it.
  package func inForce() throws(UsageError) -> ParameterTable? {
    let texts = values("in-force")
    guard !texts.isEmpty else { return nil }
    var table = ParameterTable()
    do throws(TraceError) { try table.set(option: texts.joined(separator: ",")) } catch {
      throw self.error("--in-force: \(error.message)")
    }
    for machine in MachineName.allCases {
      guard let stated = table[machine] else { continue }
      let missing = machine.required.filter { stated[$0] == nil }.map { "\(machine.rawValue).\($0.rawValue)" }
      if !missing.isEmpty {
        throw self.error(
          "--in-force: \(missing.joined(separator: " and ")) is missing, and has no default; state it too")
      }
    }
    do throws(ReplayError) { try table.check(in: .us) } catch {
      throw self.error("--in-force: \(error.message)")
    }
    return table
  }

  /// What `--assume`, which may be repeated, takes for given.
  package func assumptions() throws(UsageError) -> CausalAssumptions {
    var assumptions = CausalAssumptions()
    var named: Set<Substring> = []
    for text in values("assume") {
      let name = text.prefix { $0 != "=" }
      guard named.insert(name).inserted else {
        throw self.error("--assume: \(name) is given twice; keep one")
      }
      do throws(ReplayError) { try assumptions.set(option: text) } catch {
        throw self.error("--assume: \(error.message)")
      }
    }
    return assumptions
  }

  /// The value of `--tick`: `exact`, `recorded` or `every:D`.
  package func tick() throws(UsageError) -> TickMode? {
    guard let text = value("tick") else { return nil }
    if let tick = TickMode(text) { return tick }
    throw error("--tick wants exact, recorded, or every: with a length of time, as every:100ms")
  }
}

extension ParameterTable {
  /// Throws where a machine cannot be made of its values in a trace's unit.
  package func check(in unit: Unit) throws(ReplayError) {
    for machine in MachineName.allCases {
      guard let named = self[machine] else { continue }
      let parameters = try MachineParameters(machine, named)
      switch machine {
      case .heartbeat: _ = try parameters.heartbeat(unit)
      case .retry: _ = try parameters.retry(unit)
      case .stream: _ = try parameters.stream(unit)
      }
    }
  }
}

extension CommandError {
  /// The error of a replay, as one of the command's.
  package init(_ error: ReplayError) {
    self.init(
      error.message, file: error.path, line: error.line > 0 ? error.line : nil,
      column: error.column > 0 ? error.column : nil)
  }
}

extension ExitStatus {
  /// The exit status of a run.
  package init(_ status: TestStatus) {
    switch status {
    case .expected: self = .expected
    case .differs: self = .differs
    case .failed: self = .failed
    case .inconclusive: self = .inconclusive
    }
  }
}
