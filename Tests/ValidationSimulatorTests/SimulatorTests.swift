import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing
import ValidationScoring

@testable import ValidationSimulator

/// The simulated worlds: the same for a seed, and in each the recording predicts itself.
@Suite("A simulated world is the same for a seed, and predicts itself") struct SimulatorTests {
  private static func plan(_ family: FaultFamily, _ seed: Int, _ traffic: Traffic) -> SessionPlan {
    SessionPlan(
      family: family, seed: seed, traffic: traffic, client: (interval: 10, timeout: 5),
      changes: [ClientChange(interval: 80, timeout: 100)])
  }

  @Test(arguments: FaultFamily.allCases) func equalSeedsGiveEqualTraces(_ family: FaultFamily) throws {
    let (one, two) = (Self.plan(family, 3, .sparse), Self.plan(family, 3, .sparse))
    #expect(one.script == two.script)
    #expect(try one.experiments().map(\.recorded) == two.experiments().map(\.recorded))
    #expect(one.script != Self.plan(family, 4, .sparse).script)
  }

  @Test(arguments: FaultFamily.allCases) func theRecordingPredictsItself(_ family: FaultFamily) throws {
    for traffic in [Traffic.none, .dense] {
      for experiment in try Self.plan(family, 5, traffic).experiments() {
        let isIdentity = try Score(experiment).isIdentity
        #expect(isIdentity ?? true, "\(traffic) \(experiment.vantage)")
        #expect(isIdentity != nil || experiment.vantage == .capture)
      }
    }
  }

  @Test(arguments: FaultFamily.allCases) func tracesAreWhole(_ family: FaultFamily) throws {
    for experiment in try Self.plan(family, 6, .exchanges).experiments() {
      let trace = experiment.recorded
      #expect(zip(trace.lines, trace.lines.dropFirst()).allSatisfy { $0.t <= $1.t })
      #expect(try Trace(bytes: trace.bytes()) == trace)
      guard experiment.vantage == .tap else { continue }
      let old = try MachineParameters(.heartbeat, #require(trace.header.inForce?[.heartbeat]))
      #expect(try Conformance(trace, old).departures.filter { $0.kind != .late } == [])
    }
  }

  @Test func aWeatherIsAFunctionOfTime() {
    let weather = Weather(7)
    #expect(weather.unit(.delayUp, at: 12_345) == weather.unit(.delayUp, at: 12_346))
    #expect(weather.unit(.delayUp, at: 12_345) != weather.unit(.delayDown, at: 12_345))
    #expect(weather.unit(.delayUp, at: 12_345) != Weather(8).unit(.delayUp, at: 12_345))
  }

  @Test func anOutageIsOutlivedByAPatientClientAlone() throws {
    var script = FaultScript(horizon: 100_000_000)
    script.holes = [.init(span: 19_000_000..<23_000_000, way: .both)]
    func ends(_ timeout: Int) throws -> [Int] {
      let parameters = try MachineParameters(
        .heartbeat,
        [
          .interval: .span(TimeSpan(microseconds: 10_000_000)),
          .timeout: .span(TimeSpan(microseconds: timeout)),
        ])
      let trace = try SimulatedSession(script, parameters, weather: 1).tap
      return try SocketSteps.steps(of: trace, parameters).filter { $0.key.kind == .end }.map(\.t)
    }
    #expect(try ends(2_000_000).count == 1)
    #expect(try ends(8_000_000) == [])
  }

  // MARK: The stack

  @Test func aRetransmissionTimerRunsFromTheOldestByte() throws {
    var side = SendingSide<Int>(leastWait: 200_000, mostWait: 60_000_000, probes: false)
    #expect(side.send(1, at: 0) == [0])
    #expect(side.timer(at: 0)?.retransmission == 1_000_000)
    #expect(side.send(2, at: 900_000) == [1])
    let second = side.timer(at: 900_000)
    let timer = try #require(second)
    #expect(timer.retransmission == 1_000_000)
    #expect(side.expire(timer.stamp - 1, at: 1_000_000) == [])
    #expect(side.expire(timer.stamp, at: 1_000_000) == [0])
    // In backoff, what is new waits; the wait is twice as long.
    #expect(side.send(3, at: 1_100_000) == [])
    #expect(side.timer(at: 1_100_000)?.retransmission == 3_000_000)
    #expect(side.acknowledge(1, at: 3_100_000).repeats == [1, 2])
  }

  @Test func segmentsAreTakenInOrder() {
    var side = ReceivingSide()
    #expect(side.receive(1).isEmpty)
    #expect(side.receive(0) == 0..<2)
    #expect(side.receive(0).isEmpty)
  }

  @Test func whatIsNextComesFirstAndInOrder() {
    var agenda = Agenda<String>()
    for (t, name) in [(5, "a"), (1, "b"), (5, "c"), (3, "d"), (1, "e")] { agenda.plan(name, at: t) }
    var taken: [String] = []
    while let next = agenda.take() { taken.append(next.event) }
    #expect(taken == ["b", "e", "d", "a", "c"])
  }

  // MARK: Plans

  @Test func theHalvesShareNoSeedNoChangeAndNoClient() {
    let (one, two) = (SessionPlan.all(.develop, scripts: 9), SessionPlan.all(.heldBack, scripts: 9))
    #expect(Set(one.map(\.seed)).isDisjoint(with: two.map(\.seed)))
    #expect(Half.develop.changes.filter(Half.heldBack.changes.contains) == [])
    let clients = Half.heldBack.clients.map { "\($0)" }
    #expect(Half.develop.clients.map { "\($0)" }.filter(clients.contains) == [])
    #expect(Set(one.map(\.family)).filter(Half.isKeptBack) == [])
    #expect(Set(two.map(\.family)) == Set(FaultFamily.allCases))
  }

  @Test func requestsAndStreamsPredictWhatTheyMeet() throws {
    for plan in ActionPlan.requests(.develop, count: 3) + ActionPlan.streams(.develop, count: 2) {
      for score in try plan.scores() {
        let lines = try #require(score.outcomes[.causal]).reported
        #expect(!lines.isEmpty)
        #expect(lines.filter { ($0.grade ?? .unidentified) >= .bounded && !$0.isRight }.isEmpty)
      }
    }
  }
}
