public import GoldwireTrace

extension MachineParameters {
  /// The parameters of a question that no golden asks: options, what was in force, or the one set there is.
  ///
  /// Throws where a parameter without a default is named nowhere, and says how to name it.
  public init(
    asking machine: MachineName, of trace: TraceHeader, overrides: ParameterTable,
    configuration: Configuration = Configuration()
  ) throws(ReplayError) {
    let sets = configuration.sets.filter { $0.parameters[machine] != nil }
    let fallback = sets.count == 1 ? sets[0].parameters[machine] : nil
    self = try ParameterSource.complete(machine, trace.inForce?[machine] ?? fallback, trace, overrides)
  }
}

extension MachineParameters {
  /// Whether anything says with which parameters to ask: options, what was in force, or the one set there is.
  public static func isNamed(
    _ machine: MachineName, of trace: TraceHeader, overrides: ParameterTable,
    configuration: Configuration = Configuration()
  ) -> Bool {
    !(overrides[machine] ?? [:]).isEmpty || trace.inForce?[machine] != nil
      || configuration.sets.count { $0.parameters[machine] != nil } == 1
  }

  /// Every parameter with its value, as a report names them that leaves nothing to be looked up.
  public var allWords: String {
    Self.names(machine).map { "\($0.rawValue) \(values[$0]?.words ?? "")" }.joined(separator: ", ")
  }
}

extension Configuration {
  /// The nearest configuration above a file, empty where there is none.
  public static func nearest(above file: String) throws(ReplayError) -> Configuration {
    let workspace = Workspace.above(Disk.split(file).folder)
    if let error = workspace.error { throw error }
    return workspace.configuration
  }
}
