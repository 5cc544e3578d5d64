internal import GoldwireMachines
public import GoldwireTrace

/// The settings of a recorded client, as the recording tells them: intervals, timeouts, backoff, and the evidence.
///
/// It says nothing of the peer's settings, and looks at the lines of one machine's channels alone.
public struct Inference: Sendable {
  /// The machine that the settings are of.
  public let machine: MachineName
  /// The settings, each once or once for each kind of jitter, in the order in which a reader asks for them.
  public let values: [InferredValue]
  /// How late the client's timers are taken to be at most, in the trace's unit.
  public let slack: Int
  /// The cadence that the recording leaves open beside the one that is taken, with the interval that goes with it.
  ///
  /// Nil where none is left open, or where one is that no parameter says.
  public let otherCadence: [ParameterName: ParameterValue]?
  let trace: Trace

  /// Infers the settings; `early` and `slack` are how much the client's timers may be off.
  public init(_ trace: Trace, _ machine: MachineName, early: TimeSpan? = nil, slack: TimeSpan? = nil) {
    let unit = trace.header.unit
    let standard = ReplayOptions(tick: .recorded)
    let tolerance = TimerTolerance(
      early: (early ?? standard.early).roundedUp(in: unit),
      slack: (slack ?? standard.slack).roundedUp(in: unit))
    self.machine = machine
    self.trace = trace
    self.slack = tolerance.slack
    if trace.header.blind.contains(.times) {
      otherCadence = nil
      values = [
        InferredValue(
          "times", .untold, remark: "the source does not know instants, and all of this is told from them",
          record: "with a tap or from packets")
      ]
      return
    }
    let heartbeat = machine == .heartbeat ? HeartbeatInference(trace, tolerance) : nil
    otherCadence = heartbeat?.otherCadence
    switch machine {
    case .heartbeat: values = heartbeat?.values ?? []
    case .retry: values = RetryInference(trace, tolerance).values
    case .stream: values = StreamInference(trace, tolerance).values
    }
  }

  /// The parameters to run the machine with: what was inferred, else its defaults.
  ///
  /// Nil where one without a default could not be inferred.
  public var parameters: MachineParameters? { try? MachineParameters(machine, taken) }

  /// The values that the machine is run with, by name.
  public var taken: [ParameterName: ParameterValue] {
    var taken: [ParameterName: ParameterValue] = [:]
    for value in values {
      // The machine's cap is the longest wait that it takes.
      let spelled = value.name == "longestWait" ? "cap" : value.name
      guard let name = ParameterName(rawValue: spelled), let one = value.taken else { continue }
      taken[name] = one
    }
    return taken
  }
}

extension TraceHeader {
  /// The microseconds in the unit.
  var unitMicroseconds: Int { unit == .us ? 1 : 1_000 }

  /// A length in the unit, as a parameter's value.
  func parameter(_ length: Int) -> ParameterValue {
    let (product, overflow) = length.multipliedReportingOverflow(by: unitMicroseconds)
    return .span(TimeSpan(microseconds: overflow ? TraceLimits.number : min(product, TraceLimits.number)))
  }
}
