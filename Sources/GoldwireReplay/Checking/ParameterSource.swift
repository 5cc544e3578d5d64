internal import GoldwireTrace

/// Where the parameters of a question come from: options, a golden's header, its set, or what was in force.
enum ParameterSource {
  /// The parameters of a golden.
  static func resolve(
    _ header: GoldenHeader, _ machine: MachineName, _ trace: TraceHeader, _ configuration: Configuration,
    _ overrides: ParameterTable
  ) throws(ReplayError) -> MachineParameters {
    switch header.parameters {
    case .literal(let values): return try complete(machine, values, trace, overrides)
    case .set(let name):
      guard let values = configuration.values(of: name, machine) else {
        throw ReplayError(
          line: 1,
          "names a set that \(Configuration.file) does not have for \(machine.rawValue); add it there, or "
            + "write \"parameters\" instead of \"set\"")
      }
      return try complete(machine, values, trace, overrides)
    }
  }

  /// Lays the options over the values, and takes what has no default from what was in force.
  static func complete(
    _ machine: MachineName, _ values: [ParameterName: ParameterValue]?, _ trace: TraceHeader,
    _ overrides: ParameterTable
  ) throws(ReplayError) -> MachineParameters {
    let inForce = trace.inForce?[machine]
    var named = values ?? inForce ?? [:]
    for (name, value) in overrides[machine] ?? [:] { named[name] = value }
    for name in [ParameterName.interval, .timeout] where machine == .heartbeat && named[name] == nil {
      named[name] = inForce?[name]
    }
    do throws(ReplayError) {
      return try MachineParameters(machine, named)
    } catch {
      throw ReplayError(
        error.message
          + "; name it by --set \(machine.rawValue).KEY=VALUE, in the golden's header, in a set of "
          + "\(Configuration.file), or in the trace's inForce")
    }
  }

  /// The parameters that the recorded client ran with; nil where they are unknown.
  static func inForce(_ machine: MachineName, _ trace: TraceHeader) -> MachineParameters? {
    guard let values = trace.inForce?[machine] else { return nil }
    return try? MachineParameters(machine, values)
  }

  /// What a golden that is made again should take: the set that has the values of last time, or they themselves.
  static func again(_ last: MachineParameters, _ configuration: Configuration) -> GoldenHeader.Parameters {
    let fitting = configuration.sets.first { set in
      guard let named = set.parameters[last.machine] else { return false }
      return (try? MachineParameters(last.machine, named)) == last
    }
    return fitting.map { .set($0.name) } ?? .literal(last.values)
  }

  /// What a new golden should take: the one set that has the machine, what was in force, or the defaults.
  static func forNewGolden(
    _ machine: MachineName, _ trace: TraceHeader, _ configuration: Configuration
  ) throws(ReplayError) -> GoldenHeader.Parameters {
    let sets = configuration.sets.filter { $0.parameters[machine] != nil }
    let inForce = Self.inForce(machine, trace)
    if trace.source != .written, let inForce, let values = trace.inForce?[machine] {
      let fitting = sets.first { set in
        (try? MachineParameters(machine, set.parameters[machine] ?? [:])) == inForce
      }
      return fitting.map { .set($0.name) } ?? .literal(values)
    }
    if sets.count == 1 { return .set(sets[0].name) }
    if sets.count > 1 {
      throw ReplayError(
        "several sets of \(Configuration.file) have \(machine.rawValue), so that one must be chosen: write "
          + "the golden's first line by hand, naming the set, then update it")
    }
    if let values = trace.inForce?[machine] { return .literal(values) }
    if MachineParameters.hasDefaults(machine) { return .literal([:]) }
    throw ReplayError(
      "nothing says with which parameters to ask \(machine.rawValue): add a set to \(Configuration.file), or "
        + "inForce to the trace's header")
  }
}
