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
    for machine in driven {
      let inference = Inference(trace, machine, early: early, slack: slack ?? configuration.slack)
      try wantsJSON
        ? console.output.write(inference.json()) : console.output.write(inference.text())
      guard let parameters = try parameters(inference) else {
        try tellTooLittle(machine, console)
        continue
      }
      try tellAlike(inference, console)
      let conformance = try hold(trace, parameters, configuration, foreign)
      try put(conformance, console)
      if conformance.status == .expected, inference.isBounded { inForce[machine] = inference.taken }
      let isJudged = conformance.status != .inconclusive || !conformance.neverInStep.isEmpty
      if isJudged { status = status.and(ExitStatus(conformance.status)) }
      judged = judged || isJudged
    }
    if let write { try put(inForce, into: trace, write, console) }
    return judged ? status : .inconclusive
  }

  /// What was inferred, with what the options name instead; nil where a parameter is lacking.
  private func parameters(_ inference: Inference) throws(CommandError) -> MachineParameters? {
    var values = inference.taken
    for (name, value) in overrides[inference.machine] ?? [:] { values[name] = value }
    guard inference.hasEvidence || overrides[inference.machine] != nil else { return nil }
    return try? MachineParameters(inference.machine, values)
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

  /// Writes the trace with what was inferred as what was in force.
  private func put(
    _ inForce: ParameterTable, into trace: Trace, _ path: String, _ console: Console
  ) throws(CommandError) {
    if trace.header.inForce != nil, trace.header.inForceBy != .inferred {
      throw CommandError(
        "the trace names what was in force already", file: file,
        remedy: "leave out -w, or take that away first")
    }
    guard !inForce.values.isEmpty else {
      try console.say(
        "nothing was written: no machine's parameters are bounded from both sides and kept to by the client")
      return
    }
    var trace = trace
    trace.header.inForce = inForce
    trace.header.inForceBy = .inferred
    do throws(FileError) { try AtomicFile.write(trace.bytes(), to: path) } catch { throw CommandError(error) }
    try console.say("wrote \(path)")
  }
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
