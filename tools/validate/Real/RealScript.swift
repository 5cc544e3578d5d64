internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireTrace
internal import ValidationScoring
internal import ValidationSimulator

/// One script of faults for real sockets, drawn as the simulator's are.
///
/// So a simulated client can say what one who knows the script expects. All instants are in microseconds of the time that
/// a scaled run stands for.
struct RealScript: Sendable {
  /// The families that a fault server can play: it holds bytes, and drops none.
  static let families: Set<FaultFamily> = [
    .calm, .jitter, .steps, .spikes, .holes, .holesUp, .holesDown, .resets, .restarts, .idleSilent,
    .idleActive, .pingRate, .mixed,
  ]

  /// The family, the traffic, the client and its changes.
  let plan: SessionPlan
  /// The faults.
  let faults: ValidationSimulator.FaultScript

  init(_ plan: SessionPlan) {
    self.plan = plan
    var faults = plan.script
    // The fault server restarts with a reset, which comes through everything.
    for index in faults.restarts.indices { faults.restarts[index].kind = .reset }
    faults.resets.removeAll { reset in faults.holes.contains { $0.span.contains(reset) } }
    self.faults = faults
  }

  /// What one expects of a client who knows the script, and from a recording how slow the machine is.
  func expected(of client: MachineParameters, after recorded: Trace, of old: MachineParameters) throws
    -> Trace
  {
    var known = faults.known
    let slowness = Slowness(recorded, interval: try old.heartbeat(.us).interval) { sent in
      2 * (faults.delay + (faults.steps.last { $0.from <= sent }?.delay ?? 0)) + faults.jitter
    }
    known.delay += slowness.trip / 2
    known.lateness = 2 * slowness.lateness
    return try SimulatedSession(known, client, weather: 0).tap
  }
}
