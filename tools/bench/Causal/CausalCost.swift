import GoldwireReplay
import GoldwireTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Measures a causal prediction of a heartbeat against a replay of the same trace, both in memory.
///
/// Each round has a batch of both in turn, and times are those of the process's own CPU, so that other programs count as
/// little as possible.
struct CausalCost {
  /// Microseconds each, by round.
  private(set) var replay: [Double] = []
  private(set) var prediction: [Double] = []
  /// The lines of the trace.
  let lines: Int

  private let trace: Trace
  private let inForce: MachineParameters
  private let asked: MachineParameters
  private var checked = 0

  /// Reads the trace; the interval that is asked is five sixths of the one in force.
  init(path: String) throws {
    trace = try Trace.load(path: path)
    lines = trace.lines.count
    inForce = try MachineParameters(asking: .heartbeat, of: trace.header, overrides: ParameterTable())
    guard case .span(let interval)? = inForce.values[.interval] else {
      throw ReplayError("the trace does not say which interval was in force")
    }
    var overrides = ParameterTable()
    overrides[.heartbeat] = [.interval: .span(TimeSpan(microseconds: interval.microseconds / 6 * 5))]
    asked = try MachineParameters(asking: .heartbeat, of: trace.header, overrides: overrides)
  }

  /// Measures so many rounds; the first is left out.
  mutating func measure(rounds: Int) throws {
    var count = 1
    while try time(count, predict) < 20_000, count < 1 << 16 { count *= 2 }
    for round in 0...rounds {
      let replayed = try time(count * 8, replayOnce) / Double(count * 8)
      let predicted = try time(count, predict) / Double(count)
      guard round > 0 else { continue }
      replay.append(replayed)
      prediction.append(predicted)
    }
  }

  /// The microseconds of CPU that so many runs take.
  private mutating func time(_ count: Int, _ run: (inout CausalCost) throws -> Void) rethrows -> Double {
    let before = Self.cpu()
    for _ in 0..<count { try run(&self) }
    return Self.cpu() - before
  }

  private func replayOnce(_ cost: inout CausalCost) throws {
    let (replayed, _) = try TraceReplay.replay(trace, inForce, options: ReplayOptions(tick: .recorded))
    cost.checked &+= replayed.actions.count
  }

  private func predict(_ cost: inout CausalCost) throws {
    cost.checked &+= try CausalReplay(trace, asked).parts.count
  }

  private static func cpu() -> Double {
    var now = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1_000_000 + Double(now.tv_nsec) / 1_000
  }
}
