internal import GoldwireTrace

extension PerturbReport {
  /// Throws where a folder to write into is none.
  public static func check(folder: String) throws(ReplayError) {
    guard Disk.kind(of: folder) == .folder else {
      throw ReplayError(path: folder, "-w wants a folder that is there; make it first")
    }
  }

  /// Writes each finding's trace into a folder, with a golden of the right machine beside it, and names the files.
  ///
  /// A machine with parameters of its own is not known here: its traces have no golden. Throws where a
  /// file cannot be written, or an instant is beyond what a trace can hold.
  public func write(
    into folder: String, tool: String, right: MachineParameters? = nil
  ) throws(ReplayError) -> [String] {
    var paths: [String] = []
    for finding in findings {
      let stem = ((right ?? parameters).map { "\($0.machine.rawValue)-" } ?? "") + finding.rule.name
      let path = Disk.join(folder, stem + ".jsonl")
      guard finding.trace.lines.allSatisfy({ (0...TraceLimits.number).contains($0.t) }) else {
        throw ReplayError(
          path: path,
          "cannot be written: it fails only near the end of the clock's range, which no trace reaches")
      }
      var trace = finding.trace
      trace.header.tool = tool
      if let right = right ?? parameters {
        trace.header.inForce = ParameterTable([right.machine: right.values])
        trace.header.inForceBy = .stated
        let name = GoldenName(stem: stem, machine: right.machine)
        let golden = try Self.golden(trace, stem + ".jsonl", right)
        try Self.write(golden.bytes(), to: Disk.join(folder, name.file))
        paths.append(Disk.join(folder, name.file))
      }
      try Self.write(trace.bytes(), to: path)
      paths.append(path)
    }
    return paths.sorted()
  }

  private static func golden(
    _ trace: Trace, _ file: String, _ right: MachineParameters
  ) throws(ReplayError) -> Golden {
    let question = Question(trace: trace, parameters: right, tick: .exact, detail: .all)
    let answer = try question.answer()
    let header = GoldenHeader(
      trace: file, machine: ActionWord(right.machine.rawValue) ?? .note, parameters: .literal(right.values),
      tick: question.effectiveTick, assume: answer.assume, unit: trace.header.unit)
    return Golden(header: header, lines: answer.lines)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(ReplayError) {
    do throws(FileError) { try AtomicFile.write(bytes, to: path) } catch {
      throw ReplayError(error, path: path)
    }
  }
}
