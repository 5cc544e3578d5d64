import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// What is done with a trace ends, comes in order, and gives clean traces again.
enum ReplayProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let (from, length) = (input.short(), input.short())
    var limits = TraceLimits()
    limits.lines = 400
    limits.inflate.outputBytes = 1 << 16
    guard let trace = try TraceProperties.read(input.rest, limits) else { return }
    for machine in MachineName.allCases {
      guard let parameters = parameters(machine, choice, trace) else { continue }
      try replay(trace, parameters, choice)
    }
    try cut(trace, from, length, choice)
    try goOn(trace, from)
    draw(trace)
  }

  /// Parameters of some choice, or those in force.
  private static func parameters(
    _ machine: MachineName, _ choice: UInt8, _ trace: Trace
  ) -> MachineParameters? {
    if choice & 1 == 1, let named = trace.header.inForce?[machine],
      let inForce = try? MachineParameters(machine, named)
    {
      return inForce
    }
    func span(_ milliseconds: Int) -> ParameterValue { .span(TimeSpan(microseconds: milliseconds * 1_000)) }
    var values: [ParameterName: ParameterValue] = [:]
    switch machine {
    case .heartbeat:
      values = [
        .interval: span(choice & 2 == 0 ? 300 : 30_000), .timeout: span(choice & 4 == 0 ? 200 : 40_000),
      ]
      if choice & 8 != 0 { values[.connectTimeout] = span(1_000) }
      if choice & 16 != 0 { values[.policy] = .word(.anyInboundIsLife) }
      if choice & 32 != 0 { values[.cadence] = .word(.fixed) }
    case .retry:
      if choice & 8 != 0 { values = [.transport: .flag(true), .base: span(200), .count: .number(5)] }
    case .stream:
      if choice & 16 != 0 {
        values = [
          .idle: span(700), .delay: span(200), .retryStatuses: .flag(true), .dedup: .word(.idAndContent),
          .window: .number(2),
        ]
      }
    }
    return try? MachineParameters(machine, values)
  }

  private static func replay(
    _ trace: Trace, _ parameters: MachineParameters, _ choice: UInt8
  ) throws(FuzzFinding) {
    for tick in [TickMode.exact, .recorded, .every(TimeSpan(microseconds: 7_000_000))] {
      var options = ReplayOptions(tick: tick, findsTies: choice & 64 != 0)
      options.limits.ticksInSilence = 500
      guard let (replayed, _) = try? TraceReplay.replay(trace, parameters, options: options) else { return }
      let lines = replayed.lines
      try hold(lines.map(\.t) == lines.map(\.t).sorted(), "actions come in order of time")
      try hold(lines.allSatisfy { $0.t <= replayed.horizon }, "nothing is done after the horizon")
      try golden(lines, parameters, trace)
      let again = try? TraceReplay.replay(trace, parameters, options: options)
      try hold(again?.replayed.lines == lines, "a replay is the same each time")
    }
    guard let gate = try? Conformance(trace, parameters) else { return }
    try hold(!gate.text().isEmpty && !gate.json().isEmpty, "a report says something")
  }

  /// The actions make a golden that is read as it was written.
  private static func golden(
    _ lines: [GoldenLine], _ parameters: MachineParameters, _ trace: Trace
  ) throws(FuzzFinding) {
    guard let machine = ActionWord(parameters.machine.rawValue) else { return }
    let header = GoldenHeader(
      trace: "trace.jsonl", machine: machine, parameters: .literal(parameters.values), tick: .recorded,
      unit: trace.header.unit)
    try GoldenProperties.written(Golden(header: header, lines: lines))
  }

  private static func cut(
    _ trace: Trace, _ from: Int, _ length: Int, _ choice: UInt8
  ) throws(FuzzFinding) {
    let begin = instant(from, trace)
    let end = max(begin, instant(length, trace))
    let channels = Set(trace.lines.compactMap(\.channel).prefix(1))
    for only in [nil, channels] {
      let cut = TraceCut(channels: only, span: begin...end, tool: "hand")
      guard let part = try? cut.apply(to: trace) else { continue }
      _ = try? cut.openRequests(in: trace)
      try TraceProperties.written(part)
      try hold(
        part.lines.allSatisfy { $0.t <= end }, "a cut holds nothing after its span")
      try passes(part, of: trace)
    }
  }

  private static func goOn(_ trace: Trace, _ from: Int) throws(FuzzFinding) {
    let begin = instant(from, trace)
    var limits = TraceContinuation.Limits()
    if from & 1 == 1 { (limits.linesOfChannel, limits.lines) = (3, 8) }
    var continuation = TraceContinuation(unit: trace.header.unit, limits: limits)
    var first = Trace(header: trace.header, lines: [])
    first.header.tool = "hand"
    var second = first
    for line in trace.lines {
      if line.t >= begin, second.lines.isEmpty { second.lines = continuation.begin(at: begin) }
      if second.lines.isEmpty {
        first.lines.append(continuation.take(line))
      } else {
        second.lines.append(continuation.take(line))
      }
    }
    for part in [first, second] {
      try TraceProperties.written(part)
      try passes(part, of: trace)
    }
  }

  /// A part of a trace passes the audit; numbers that no trace has are there only if the whole had such.
  private static func passes(_ part: Trace, of whole: Trace) throws(FuzzFinding) {
    let found = TraceProperties.audit(part.bytes())
    if found.isEmpty { return }
    let isStrange = TraceProperties.audit(whole.bytes()).contains { $0.kind == .number }
    try hold(
      isStrange && found.allSatisfy { $0.kind == .number }, "a part of a trace passes the audit: \(found)")
  }

  /// An instant of the trace, or one unit beside it.
  private static func instant(_ number: Int, _ trace: Trace) -> Int {
    guard !trace.lines.isEmpty else { return number }
    let t = trace.lines[(number >> 2) % trace.lines.count].t
    return max(0, t + (number & 3) - 1)
  }

  private static func draw(_ trace: Trace) {
    var drawing = TimeLine(unit: trace.header.unit, width: 100)
    for line in trace.lines { _ = drawing.rows(line) }
    _ = drawing.finish()
  }
}
