import GoldwireReplay
import GoldwireTrace

/// A prediction ends, is the same each time, and makes a golden that is read as it was written.
enum CausalProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let (one, two) = (input.short(), input.short())
    var limits = TraceLimits()
    limits.lines = 200
    limits.inflate.outputBytes = 1 << 16
    guard let trace = try TraceProperties.read(input.rest, limits) else { return }
    for machine in MachineName.allCases {
      guard let asked = parameters(machine, choice, one, two, trace) else { continue }
      var assumptions = CausalAssumptions()
      if choice & 1 == 1 { assumptions.idle = TimeSpan(microseconds: 1 + one * 10_000) }
      if choice & 2 == 2 { assumptions.pingRate = .unknown }
      var pool: EvidencePool?
      if choice & 4 == 4 {
        pool = EvidencePool()
        pool?.add(trace)
        pool?.holdsAsked = choice & 8 == 8
      }
      guard let causal = try? CausalReplay(trace, asked, assumptions: assumptions, pool: pool) else {
        continue
      }
      try look(causal, trace)
      let again = try? CausalReplay(trace, asked, assumptions: assumptions, pool: pool)
      try hold(again?.json() == causal.json(), "a prediction is the same each time")
    }
  }

  private static func look(_ causal: CausalReplay, _ trace: Trace) throws(FuzzFinding) {
    let instants = causal.actions.map(\.line.t)
    try hold(instants == instants.sorted(), "predicted actions come in order of time")
    try hold(
      causal.actions.allSatisfy { $0.line.t <= max(causal.horizon, 0) || $0.line.grade == nil },
      "nothing is predicted beyond the horizon")
    try hold(
      causal.actions.allSatisfy { $0.lines.allSatisfy(trace.lines.indices.contains) },
      "an action rests on lines of the trace")
    try hold(!causal.text().isEmpty && !causal.json().isEmpty, "a report says something")
    if causal.inForce == causal.parameters {
      try hold(
        causal.actions.allSatisfy { ($0.line.grade ?? .observed) >= .bounded },
        "what was recorded is observed")
    }
    guard !causal.isUnanswered else { return }
    try GoldenProperties.written(causal.golden(file: "trace.jsonl"))
  }

  /// Those in force with one span changed, or made up.
  private static func parameters(
    _ machine: MachineName, _ choice: UInt8, _ one: Int, _ two: Int, _ trace: Trace
  ) -> MachineParameters? {
    func span(_ number: Int) -> ParameterValue { .span(TimeSpan(microseconds: 1_000 + number * 1_000)) }
    var values = trace.header.inForce?[machine] ?? [:]
    switch machine {
    case .heartbeat:
      if choice & 16 == 16 { values[.interval] = span(one) }
      if choice & 32 == 32 { values[.timeout] = span(two) }
      if choice & 64 == 64 { values[.policy] = .word(.anyInboundIsLife) }
      if choice & 128 == 128 { values[.connectTimeout] = span(two) }
    case .retry:
      if choice & 16 == 16 { values[.base] = span(one) }
      if choice & 32 == 32 { values[.count] = .number(two % 9) }
      if choice & 64 == 64 { values[.transport] = .flag(true) }
    case .stream:
      if choice & 16 == 16 { values[.delay] = span(one) }
      if choice & 32 == 32 { values[.idle] = span(two) }
    }
    return try? MachineParameters(machine, values)
  }
}
