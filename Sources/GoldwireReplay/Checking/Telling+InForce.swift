internal import GoldwireTrace

// Where nobody knows which parameters a recorded client ran with.
extension Telling {
  /// What to do there: the values are the reader's own, or those of a set of goldwire.json, and never made up.
  static func unknownInForce(
    _ machine: MachineName, _ source: Source, _ configuration: Configuration = Configuration()
  ) -> [String] {
    [
      "the trace does not say which parameters of \(machine.rawValue) were in force, so that its replies "
        + "may be to other actions", stating(machine, configuration) + atTheSource(source),
      "what the trace shows of them: goldwire conform --infer TRACE",
    ]
  }

  private static func stating(_ machine: MachineName, _ configuration: Configuration) -> String {
    let command = "goldwire cut TRACE -w FILE --in-force "
    let set = configuration.sets.first { set in
      set.parameters[machine].map { (try? MachineParameters(machine, $0)) != nil } ?? false
    }
    if let set, let values = set.parameters[machine] {
      let options = ParameterName.allCases.compactMap { name in
        values[name].map { "\(machine.rawValue).\(name.rawValue)=\($0.option)" }
      }
      return "to state them, if they are those of the set \(set.name): " + command
        + options.joined(separator: ",").quoted
    }
    return "to state them, with the client's own values: " + command + placeholders(machine)
  }

  private static func placeholders(_ machine: MachineName) -> String {
    switch machine {
    case .heartbeat: "heartbeat.interval=TIME,heartbeat.timeout=TIME"
    case .retry: "retry.base=TIME,retry.cap=TIME,retry.count=N"
    case .stream: "stream.delay=TIME"
    }
  }

  private static func atTheSource(_ source: Source) -> String {
    switch source {
    case .pcap: "; goldwire record takes --in-force too"
    case .har: "; goldwire import har takes --in-force too"
    case .tap: "; a tap writes them by itself if it is given TapParameters"
    case .written: "; or write \"inForce\" into its first line"
    case .serve, .mutant: ""
    }
  }
}

extension ParameterValue {
  /// The value as an option spells it.
  fileprivate var option: String {
    if case .numbers(let numbers) = self { return numbers.map(String.init).joined(separator: ",") }
    return words
  }
}
