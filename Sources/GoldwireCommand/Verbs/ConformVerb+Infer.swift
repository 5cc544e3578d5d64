package import GoldwireReplay
import GoldwireTrace

/// `goldwire conform --infer`.
extension ConformVerb {
  /// Tells the client's parameters from what it did, and holds it to them.
  func infer(
    _ name: MachineName?, _ foreign: ForeignSource?, _ console: Console
  ) throws(CommandError) -> ExitStatus {
    if let write { try Traces.keep(FileIdentity(reading: file), apartFrom: write) }
    let (trace, configuration, driven) = try TraceQuestion.load(file, name, console)
    var (judged, status) = (false, ExitStatus.expected)
    var inForce = ParameterTable()
    var (reasons, notes) = ([String](), [String]())
    for machine in driven {
      let inference = Inference(trace, machine, early: early, slack: slack ?? configuration.slack)
      try wantsJSON
        ? console.output.write(inference.json()) : console.output.write(inference.text())
      if let mismatch = inference.mismatch, !names(mismatch, of: machine) {
        try tell(mismatch, machine, console)
        reasons.append("\(machine.rawValue): \(mismatch.reason)")
        continue
      }
      guard let parameters = try parameters(inference) else {
        try tellTooLittle(machine, console)
        reasons.append("\(machine.rawValue): too little is known")
        continue
      }
      try tellAlike(inference, console)
      let conformance = try hold(trace, parameters, configuration, foreign)
      try put(conformance, console)
      if write != nil {
        let (values, remark) = try decide(inference, conformance, trace, configuration, foreign)
        inForce[machine] = values
        if let remark, values == nil { reasons.append("\(machine.rawValue): \(remark)") }
        if let remark, values != nil { notes.append("\(machine.rawValue) is \(remark)") }
      }
      let isJudged = conformance.status != .inconclusive || !conformance.neverInStep.isEmpty
      if isJudged { status = status.and(ExitStatus(conformance.status)) }
      judged = judged || isJudged
    }
    try finish(foreign)
    if let write, try !put(inForce, into: trace, write, reasons, console) {
      return status.and(.inconclusive)
    }
    for note in notes { try console.say(note) }
    return judged ? status : .inconclusive
  }

  /// What was inferred, with what the options name instead; nil where a parameter is lacking.
  private func parameters(_ inference: Inference) throws(CommandError) -> MachineParameters? {
    var values = inference.taken
    for (name, value) in overrides[inference.machine] ?? [:] { values[name] = value }
    guard inference.hasEvidence || overrides[inference.machine] != nil else { return nil }
    return try? MachineParameters(inference.machine, values)
  }

  /// Whether the options name what the machine cannot take from the recording.
  private func names(_ mismatch: Inference.Mismatch, of machine: MachineName) -> Bool {
    mismatch.names.contains { overrides[machine]?[$0] != nil }
  }

  /// A client that does what no parameter says departs from nothing: there is nothing to hold it to.
  private func tell(
    _ mismatch: Inference.Mismatch, _ machine: MachineName, _ console: Console
  ) throws(CommandError) {
    guard !wantsJSON else {
      return try console.output.write(
        "{\"machine\":\"\(machine.rawValue)\",\"acts\":0,\"departures\":0,\"status\":3}\n")
    }
    try console.output.write(
      "\(machine.rawValue): the machine cannot stand for this client, which is held to nothing: "
        + "\(mismatch.reason)\n")
  }

  private func tellTooLittle(_ machine: MachineName, _ console: Console) throws(CommandError) {
    guard !wantsJSON else { return }
    try console.output.write(
      "\(machine.rawValue): too little is known to hold the client against the machine\n")
  }

  private func tellAlike(_ inference: Inference, _ console: Console) throws(CommandError) {
    guard !wantsJSON else { return }
    for preset in inference.alike {
      try console.output.write("  within these bounds: the preset \(preset.name), \(preset.of)\n")
    }
  }

  /// What to put in force for a machine, and what is to be said of it: why nothing is, or what is left open.
  private func decide(
    _ inference: Inference, _ conformance: Conformance, _ trace: Trace, _ configuration: Configuration,
    _ foreign: ForeignSource?
  ) throws(CommandError) -> ([ParameterName: ParameterValue]?, String?) {
    switch conformance.status {
    case .expected: break
    case .differs: return (nil, "the client departs from what was inferred")
    case .inconclusive, .failed: return (nil, "nothing of the client's could be held against it")
    }
    let named = overrides[inference.machine] ?? [:]
    if let obstacle = inference.obstacle(named: named) { return (nil, obstacle) }
    let values = inference.taken.merging(named) { _, new in new }
    guard named[.cadence] == nil, let other = inference.otherCadence else { return (values, nil) }
    // Both are allowed: that they do the same here is held, not taken for granted.
    let (taken, open) = (values.cadence, other.cadence)
    guard let parameters = try? MachineParameters(inference.machine, values.merging(other) { _, new in new }),
      try hold(trace, parameters, configuration, foreign).status == .expected
    else {
      return (
        nil, "its cadence is left open, \(taken) or \(open); name it by --set heartbeat.cadence=\(taken)"
      )
    }
    return (
      values,
      "written with cadence \(taken); \(open) with interval \(other.interval) does the same here, to within "
        + "the slack, and --set heartbeat.cadence=\(open) writes that"
    )
  }

  /// Writes the trace with what was inferred as what was in force; whether there was anything to write.
  private func put(
    _ inForce: ParameterTable, into trace: Trace, _ path: String, _ reasons: [String], _ console: Console
  ) throws(CommandError) -> Bool {
    if trace.header.inForce != nil, trace.header.inForceBy != .inferred {
      throw CommandError(
        "the trace names what was in force already", file: file,
        remedy: "leave out -w, or take that away by goldwire cut --in-force none")
    }
    guard !inForce.values.isEmpty else {
      try console.say("nothing was written: " + reasons.joined(separator: "; "))
      return false
    }
    var trace = trace
    trace.header.inForce = inForce
    trace.header.inForceBy = .inferred
    do throws(FileError) { try AtomicFile.write(trace.bytes(), to: path) } catch { throw CommandError(error) }
    try console.say("wrote \(path)")
    for reason in reasons { try console.say("not written, \(reason)") }
    return true
  }
}

extension [ParameterName: ParameterValue] {
  fileprivate var cadence: String { self[.cadence]?.told ?? "" }
  fileprivate var interval: String { self[.interval]?.told ?? "" }
}

extension Arguments {
  /// The preset that `--preset` names.
  package func preset() throws(UsageError) -> Preset? {
    guard let name = value("preset") else { return nil }
    if let preset = Preset.named(name) { return preset }
    let names = Preset.all.map(\.name)
    throw error("--preset wants one of \(names.joined(separator: ", "))" + Spelling.hint(name, among: names))
  }
}
