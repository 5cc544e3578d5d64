package import GoldwireReplay
package import GoldwireTrace

/// A question to one trace, as `replay` and `conform` put it.
package struct TraceQuestion {
  /// The trace.
  package var trace: Trace
  /// What the nearest configuration says.
  package var configuration: Configuration
  /// The machines that are asked, with their parameters.
  package var machines: [MachineParameters]

  /// Loads a trace, and finds the machines to ask and their parameters.
  package init(
    _ file: String, _ machine: MachineName?, _ overrides: ParameterTable, _ console: Console
  ) throws(CommandError) {
    trace = try Traces.load(file, console)
    configuration = Configuration()
    let driven = TraceReplay.machines(drivenBy: trace)
    guard !driven.isEmpty else {
      throw CommandError(
        "the trace drives no machine", file: file,
        remedy: "no WebSocket with pings to see, no request and no event stream begins in it")
    }
    if let machine, !driven.contains(machine) {
      throw CommandError(
        "the trace does not drive \(machine.rawValue)", file: file,
        remedy: "it drives \(driven.map(\.rawValue).joined(separator: ", "))")
    }
    machines = []
    do throws(ReplayError) {
      if file != "-" { configuration = try Configuration.nearest(above: file) }
      for name in machine.map({ [$0] }) ?? driven {
        machines.append(
          try MachineParameters(
            asking: name, of: trace.header, overrides: overrides, configuration: configuration))
      }
    } catch {
      var named = error
      named.path = error.path ?? file
      throw CommandError(named)
    }
  }

  /// The pool that the nearest configuration names for the file; nil without one.
  func pool(_ file: String) throws(CommandError) -> EvidencePool? {
    guard file != "-" else { return nil }
    do throws(ReplayError) { return try EvidencePool.nearest(above: file) } catch {
      throw CommandError(error)
    }
  }
}
