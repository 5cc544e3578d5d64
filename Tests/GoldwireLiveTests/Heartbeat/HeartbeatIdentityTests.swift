import GoldwireMachines
import GoldwireReplay
import GoldwireTap
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// What the driver did is what the replay of its own recording says it should have done.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HeartbeatIdentityTests {
  /// An action with its instant, as words.
  private static func words(_ t: Int, _ generation: Int?, _ action: String, _ why: String?) -> String {
    "\(t) \(action) \(generation ?? 0)" + (why.map { " " + $0 } ?? "")
  }

  /// What the driver's log says that it did.
  private static func done(_ entries: [HeartbeatLog]) -> [String] {
    entries.compactMap { entry in
      let (t, generation) = (entry.instant.microseconds, entry.generation)
      switch entry.event {
      case .ping: return words(t, generation, "ping", nil)
      case .close(let cause): return words(t, generation, "close", cause.rawValue)
      case .ended(let cause): return words(t, generation, "ended", cause.rawValue)
      default: return nil
      }
    }
  }

  /// Ten times fifty scripts: as one case each they would keep all other tests waiting.
  @Test(arguments: 0..<10) func theReplayOfTheTapIsWhatTheDriverDid(_ part: Int) async throws {
    for seed in part * 50..<part * 50 + 50 { try await hold(seed) }
  }

  private func hold(_ seed: Int) async throws {
    var script = try HeartbeatFaults(seed: UInt64(seed))
    let recording = try HeartbeatRecording(script.parameters)
    let bench = DriverBench(script.parameters, tap: recording.tap)
    await script.play(40, on: bench)
    let trace = try recording.finish(at: bench.clock.now)

    let parameters = try MachineParameters(.heartbeat, try #require(trace.header.inForce)[.heartbeat] ?? [:])
    let options = ReplayOptions(tick: .recorded, early: TimeSpan(microseconds: 0))
    let (replayed, _) = try TraceReplay.replay(trace, parameters, options: options)
    let told = replayed.actions.map {
      Self.words($0.line.t, $0.line.generation, $0.line.action.description, $0.line.why?.description)
    }
    #expect(told == Self.done(bench.book.entries), "seed \(seed)")

    // Timers were held back at will, so lateness is no departure here.
    let gate = try Conformance(trace, parameters, slack: TimeSpan(microseconds: 1 << 50))
    #expect(gate.departures == [], "seed \(seed)")

    // Each ping is completed once, but for one that is awaited at the end.
    let pings = bench.book.entries.count { $0.event == .ping }
    let completed = bench.book.entries.count { if case .pinged = $0.event { true } else { false } }
    let awaited = await bench.driver.live?.awaited == nil ? 0 : 1
    #expect(completed + awaited == pings, "seed \(seed)")
  }

  @Test func theScriptsReachEveryCause() async throws {
    var causes: Set<String> = []
    var (pings, answers) = (0, 0)
    for seed in 0..<100 as Range<UInt64> {
      var script = try HeartbeatFaults(seed: seed)
      let bench = DriverBench(script.parameters)
      await script.play(60, on: bench)
      for entry in bench.book.entries {
        switch entry.event {
        case .close(let cause), .ended(let cause): causes.insert(cause.rawValue)
        case .ping: pings += 1
        case .pinged(.ok): answers += 1
        default: break
        }
      }
    }
    #expect(causes == Set(Heartbeat.Cause.allCases.map(\.rawValue)))
    #expect(pings > 500 && answers > 100)
  }
}
