import GoldwireServer
import LiveScenarios
import Testing

/// The scripts of live sessions; `live-check gate` runs the sessions, in a process of its own.
@Suite struct LiveScenarioTests {
  @Test(arguments: LiveFamily.allCases) func everyScriptIsRead(_ family: LiveFamily) throws {
    for seed in UInt64(1)...20 {
      let scenario = LiveScenario(family, seed: seed)
      _ = try FaultScript(json: Array(scenario.script.utf8))
      #expect(LiveScenario(family, seed: seed).script == scenario.script)
    }
  }

  @Test(arguments: LiveFamily.allCases) func seedsDiffer(_ family: LiveFamily) {
    let scripts = Set((UInt64(1)...20).map { LiveScenario(family, seed: $0).script })
    #expect(scripts.count > 10)
  }
}
