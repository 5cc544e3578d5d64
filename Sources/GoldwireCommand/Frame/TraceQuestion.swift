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

  /// The machines of which nothing names a parameter: they are asked with their defaults.
  package private(set) var unnamed: Set<MachineName> = []

  /// Loads a trace, and finds the machines to ask and their parameters.
  ///
  /// `hint` is said where a machine without defaults lacks a parameter.
  package init(
    _ file: String, _ machine: MachineName?, _ overrides: ParameterTable, _ console: Console,
    hint: String? = nil
  ) throws(CommandError) {
    let driven: [MachineName]
    (trace, configuration, driven) = try Self.load(file, machine, console)
    machines = []
    for name in driven {
      do throws(ReplayError) {
        machines.append(
          try MachineParameters(
            asking: name, of: trace.header, overrides: overrides, configuration: configuration))
      } catch {
        var error = CommandError(error.at(file))
        error.remedy = hint
        throw error
      }
      if !MachineParameters.isNamed(
        name, of: trace.header, overrides: overrides, configuration: configuration)
      {
        unnamed.insert(name)
      }
    }
  }

  /// Loads a trace and the configuration above it, and finds the machines that it drives, or the one asked for.
  package static func load(
    _ file: String, _ machine: MachineName?, _ console: Console
  ) throws(CommandError) -> (trace: Trace, configuration: Configuration, driven: [MachineName]) {
    let trace = try Traces.load(file, console)
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
    var configuration = Configuration()
    do throws(ReplayError) {
      if file != "-" { configuration = try Configuration.nearest(above: file) }
    } catch {
      throw CommandError(error.at(file))
    }
    return (trace, configuration, machine.map { [$0] } ?? driven)
  }

  /// The pool that the nearest configuration names for the file; nil without one.
  func pool(_ file: String) throws(CommandError) -> EvidencePool? {
    guard file != "-" else { return nil }
    do throws(ReplayError) { return try EvidencePool.nearest(above: file) } catch {
      throw CommandError(error)
    }
  }
}

extension ReplayError {
  /// The error, of this file where it names none.
  fileprivate func at(_ file: String) -> ReplayError {
    var named = self
    named.path = path ?? file
    return named
  }
}
