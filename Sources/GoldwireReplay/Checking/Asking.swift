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

extension Configuration {
  /// The nearest configuration above a file, empty where there is none.
  public static func nearest(above file: String) throws(ReplayError) -> Configuration {
    let workspace = Workspace.above(Disk.split(file).folder)
    if let error = workspace.error { throw error }
    return workspace.configuration
  }
}
