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
  /// Why the machine cannot stand for the client, whatever its parameters, and the parameters that this is about.
  public let mismatch: Mismatch?
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
      (otherCadence, mismatch) = (nil, nil)
      values = [
        InferredValue(
          "times", .untold, remark: "the source does not know instants, and all of this is told from them",
          record: "with a tap or from packets")
      ]
      return
    }
    let told = Told(trace, machine, tolerance)
    otherCadence = told.otherCadence
    let apart = Told.apart(trace, machine, tolerance)
    values = told.values.map { value in
      var value = value
      if let words = apart[value.name] {
        (value.taken, value.remark) = (nil, "the channels differ: \(words)")
        value.record = "each channel by itself, or part them by goldwire cut --channel and ask each"
      }
      return value
    }
    let names = apart.keys.compactMap(ParameterName.init(rawValue:))
    if !names.isEmpty {
      let words = apart.keys.sorted().map { "\($0) is \(apart[$0] ?? "")" }.joined(separator: "; ")
      mismatch = Mismatch(names: Set(names), reason: "the channels differ: \(words)")
    } else {
      mismatch = told.mismatch
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
    // The most that a parameter can say, in whole units.
    let most = TraceLimits.number / unitMicroseconds * unitMicroseconds
    return .span(TimeSpan(microseconds: overflow ? most : min(product, most)))
  }
}
