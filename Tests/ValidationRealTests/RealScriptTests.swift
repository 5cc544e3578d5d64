import GoldwireServer
import Testing
import ValidationScoring
import ValidationSimulator

@testable import ValidationReal

/// Scripts of the simulator as the fault server plays them.
@Suite struct RealScriptTests {
  private static func plan(_ family: FaultFamily, seed: Int = 3) -> RealScript {
    RealScript(
      SessionPlan(family: family, seed: seed, traffic: .exchanges, client: (10, 5), changes: []))
  }

  @Test func everyFamilyIsAScript() throws {
    for family in RealScript.families {
      for seed in 0..<20 {
        let served = try Self.plan(family, seed: seed).served(scale: 50, seed: 1, hasPath: true)
        #expect(served.rules.count == 1)
      }
    }
    for family in RequestScript.Family.allCases {
      for half in Half.allCases { _ = try RequestScript(family, half, seed: 4).served() }
    }
    for family in StreamScript.Family.allCases {
      for half in Half.allCases { _ = try StreamScript(family, half, seed: 4).served() }
    }
  }

  @Test func allTimesAreScaled() throws {
    let script = Self.plan(.holes)
    let hole = try #require(script.faults.holes.first)
    let served = try script.served(scale: 50, seed: 1, hasPath: true)
    let found = try #require(served.network.first { $0.isHole })
    #expect(abs(found.from - hole.span.lowerBound / 50) <= 1)
    #expect(abs((found.until ?? 0) - hole.span.upperBound / 50) <= 1)
    #expect(found.firstRTO == 20_000)
    #expect(try script.served(scale: 1, seed: 1, hasPath: false).network.isEmpty)
  }

  @Test func whoKnowsAStreamsScriptForeseesIt() throws {
    for seed in 0..<20 {
      let silent = StreamScript(.silences, .develop, seed: seed)
      for trouble in silent.troubles {
        let own = silent.connection(.init(number: 1, t: trouble.lowerBound, cursor: 0))
        #expect(own.allSatisfy { arrival in !silent.troubles.contains { $0.contains(arrival.t - 500) } })
        #expect(own.map(\.t) == own.map(\.t).sorted() && own.last?.arrival != .cut)
      }
      let cut = StreamScript(.outages, .develop, seed: seed)
      for trouble in cut.troubles {
        #expect(cut.connection(.init(number: 1, t: trouble.lowerBound, cursor: 0)).map(\.arrival) == [.cut])
        let before = cut.connection(.init(number: 2, t: trouble.lowerBound - 100_000, cursor: 7))
        let last = try #require(before.last)
        #expect(last.arrival == .cut && last.t == trouble.lowerBound)
        #expect(!before.contains { $0.arrival == .event(id: 7, revision: 1) })
      }
    }
  }

  @Test func resetsThatWouldComeThroughAHoleAreLeftOut() {
    for seed in 0..<60 {
      let faults = Self.plan(.mixed, seed: seed).faults
      #expect(!faults.resets.contains { reset in faults.holes.contains { $0.span.contains(reset) } })
    }
  }
}
