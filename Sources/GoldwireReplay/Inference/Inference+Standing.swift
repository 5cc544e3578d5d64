public import GoldwireTrace

// MARK: - How much is known

extension Inference {
  /// Whether anything of the client's own doing was seen, so that it can be held against the machine.
  public var hasEvidence: Bool {
    switch machine {
    case .heartbeat: value("interval").map { $0.taken != nil } ?? false
    case .retry: values.contains { $0.observations > 0 }
    case .stream: values.contains { $0.name != "idle" && $0.observations > 0 }
    }
  }

  /// Whether what a machine needs most is bounded from both sides, so that it can be put in force.
  ///
  /// What was not recorded at the client never is: its lengths of time hold the way to it and back.
  public var isBounded: Bool {
    guard isAtClient, mismatch == nil else { return false }
    return switch machine {
    case .heartbeat:
      isBounded("interval") && isBounded("timeout") && value("cadence")?.value.isOneWord == true
    case .retry:
      values.contains { $0.name == "base" && $0.taken != nil && isBounded($0) } && isBounded("count")
    case .stream: isBounded("delay")
    }
  }

  /// What keeps the parameters from being put in force, in words; nil where nothing does.
  ///
  /// What `named` has counts as known. Two cadences of the machine's (``otherCadence``) are no obstacle by themselves.
  public func obstacle(named: [ParameterName: ParameterValue] = [:]) -> String? {
    if !isAtClient { return "it was not recorded at the client" }
    if isPeerPinging { return "the peer pings, and the client never does" }
    if let mismatch, mismatch.names.allSatisfy({ named[$0] == nil }) { return mismatch.reason }
    if !hasEvidence { return "nothing of the client's own doing was seen" }
    let needed =
      switch machine {
      case .heartbeat: ["interval", "timeout"]
      case .retry: ["base", "count"]
      case .stream: ["delay"]
      }
    let open = needed.filter { name in
      let isNamed = ParameterName(rawValue: name).map { named[$0] != nil } ?? false
      return !isNamed && !values.contains { $0.name == name && $0.taken != nil && isBounded($0) }
    }
    if !open.isEmpty {
      let verb = open.count == 1 ? "is" : "are"
      return "\(open.joined(separator: " and ")) \(verb) not bounded from both sides"
    }
    guard machine == .heartbeat, named[.cadence] == nil, otherCadence == nil else { return nil }
    let cadence = value("cadence")
    if cadence?.taken != nil, cadence?.value.isOneWord == true { return nil }
    return "its cadence is left open, or none that the machine has; see above"
  }

  /// Whether the instants are the client's own.
  var isAtClient: Bool { trace.header.at == .client }

  /// Whether the peer pings, and the client never does.
  public var isPeerPinging: Bool {
    machine == .heartbeat && value("interval")?.remark?.contains("of the peer") == true
  }

  private func value(_ name: String) -> InferredValue? { values.first { $0.name == name } }

  private func isBounded(_ name: String) -> Bool { value(name).map(isBounded) ?? false }

  private func isBounded(_ value: InferredValue) -> Bool {
    switch value.value {
    case .span(let low, let high): low != nil && high != nil
    case .count(_, let high): high != nil
    default: false
    }
  }

  /// The presets whose values all lie within what was inferred; those of another heartbeat's messages left out.
  public var alike: [Preset] {
    guard machine != .retry, isBounded(machine == .heartbeat ? "interval" : "delay") else { return [] }
    return Preset.all.filter { preset in
      guard let named = preset.parameters[machine], preset.beats == trace.header.beats else { return false }
      return named.allSatisfy { name, asked in
        guard let value = value(name.rawValue) else { return true }
        switch (value.value, asked) {
        case (.span, .span(let span)):
          return span.count(in: trace.header.unit).map { value.value.allows(span: $0) } ?? false
        case (.words(let words), .word(let word)): return words.contains(word.rawValue)
        default: return true
        }
      }
    }
  }
}
