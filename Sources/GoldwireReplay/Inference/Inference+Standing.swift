internal import GoldwireTrace

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
    guard isAtClient else { return false }
    return switch machine {
    case .heartbeat:
      isBounded("interval") && isBounded("timeout") && value("cadence")?.value.isOneWord == true
    case .retry:
      values.contains { $0.name == "base" && $0.taken != nil && isBounded($0) } && isBounded("count")
    case .stream: isBounded("delay")
    }
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
