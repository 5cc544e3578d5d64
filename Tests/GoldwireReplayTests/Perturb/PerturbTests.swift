import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing

@Suite("Perturb: the machines as they are") struct PerturbTests {
  @Test(arguments: MachineName.allCases) func noRuleIsBroken(_ machine: MachineName) throws {
    let report = try PerturbReport(
      CleanTraces.trace(machine), CleanTraces.parameters(machine), seed: 7, count: 2_000)
    #expect(report.status == .expected, "\(report.text())")
    #expect(report.kinds == MutationKind.allCases.filter(report.kinds.contains))
    for kind in report.kinds { #expect(report.tried[kind, default: 0] >= 100, "\(kind)") }
  }

  private static let variants: [(MachineName, String)] = [
    (.heartbeat, "interval=10s timeout=40s connectTimeout=20s policy=anyInboundIsLife cadence=fixed"),
    (.retry, "transport=true oldDates=false cap=12s factor=3"), (.retry, "count=0"),
    (.stream, "dedup=idAndContent idle=2s retryStatuses=true failures=2"),
    (.stream, "window=2 delay=1ms least=1ms most=1ms"),
  ]

  @Test(arguments: variants) func noRuleIsBrokenBy(_ machine: MachineName, _ text: String) throws {
    let report = try PerturbReport(CleanTraces.trace(machine), .of(machine, text), seed: 3, count: 300)
    #expect(report.status == .expected, "\(report.text())")
  }

  @Test(arguments: MachineName.allCases) func equalSeedsGiveEqualReports(_ machine: MachineName) throws {
    let (trace, parameters) = (try CleanTraces.trace(machine), try CleanTraces.parameters(machine))
    let one = try PerturbReport(trace, parameters, seed: 5, count: 100)
    let two = try PerturbReport(trace, parameters, seed: 5, count: 100)
    let other = try PerturbReport(trace, parameters, seed: 6, count: 100)
    #expect(one == two)
    #expect(one.json() == two.json())
    #expect(one.tried != other.tried)
  }

  @Test func mutantsAreTraces() throws {
    let parameters = try CleanTraces.parameters(.stream).stream(.ms)
    let perturbation = Perturbation(invariants: [.stream(parameters)]) { StreamAdapter(parameters, $0) }
    let trace = try CleanTraces.trace(.stream)
    var distinct: Set<[UInt8]> = []
    for number in 1...200 {
      let mutant = perturbation.mutant(number, of: trace, seed: 2)
      #expect(mutant.header.source == .mutant)
      #expect(zip(mutant.lines, mutant.lines.dropFirst()).allSatisfy { $0.t <= $1.t })
      distinct.insert(mutant.bytes())
      guard mutant.lines.allSatisfy({ $0.t <= TraceLimits.number }) else { continue }
      #expect(try Trace(bytes: mutant.bytes()) == mutant)
    }
    #expect(distinct.count > 180)
  }

  @Test func whatTriesNothingIsInconclusive() throws {
    let trace = try Written("0 http1#1 http.send req=1 try=1 method=GET", "9 rec.end why=written").trace()
    let report = try PerturbReport(trace, CleanTraces.parameters(.stream), count: 50)
    #expect(report.status == .inconclusive)
    #expect(report.text().contains("nothing was tried"))
  }

  @Test func aMachineThatActsBeforeItsTimeIsFound() throws {
    struct Hasty: Machine {
      private(set) var wakeup: Int?
      mutating func handle(_ event: Heartbeat.Event, at now: Int, emit: (Heartbeat.Action) -> Void) {
        if case .opened = event { wakeup = now.addingReportingOverflow(1_000).partialValue }
      }
      mutating func tick(at now: Int, emit: (Heartbeat.Action) -> Void) {
        if wakeup != nil { emit(.ping(1)) }
        wakeup = nil
      }
    }
    let parameters = try CleanTraces.parameters(.heartbeat).heartbeat(.ms)
    let report = Perturbation(invariants: [Invariant<Hasty>]()) {
      AdapterSwap(HeartbeatAdapter(parameters, header: $0.header)) { Hasty() }
    }.run(try CleanTraces.trace(.heartbeat), count: 20)
    #expect(report.findings.map(\.rule.name) == ["earlyTick"])
    #expect(report.findings[0].trace.lines.count <= 3)
  }

  @Test func aMachineThatAsksToBeWokenForEverIsFound() throws {
    struct Sleepless: Machine {
      private(set) var wakeup: Int?
      mutating func handle(_ event: Heartbeat.Event, at now: Int, emit: (Heartbeat.Action) -> Void) {
        wakeup = now
      }
      mutating func tick(at now: Int, emit: (Heartbeat.Action) -> Void) {}
    }
    let parameters = try CleanTraces.parameters(.heartbeat).heartbeat(.ms)
    let report = Perturbation(invariants: [Invariant<Sleepless>("none", "nothing is asked") { _ in nil }]) {
      AdapterSwap(HeartbeatAdapter(parameters, header: $0.header)) { Sleepless() }
    }.run(try CleanTraces.trace(.heartbeat), count: 20)
    #expect(report.findings.map(\.rule.name) == ["endless"])
    #expect(report.findings[0].mutant == 0)
    #expect(report.findings[0].trace.lines.count == 1)
  }

  /// A heartbeat in an event loop, which runs what is due before or behind what it hears at the same instant.
  private struct LoopHeartbeat: Machine {
    var inner: Heartbeat
    let isFirst: Bool
    var wakeup: Int? { inner.wakeup }

    mutating func handle(_ event: Heartbeat.Event, at now: Int, emit: (Heartbeat.Action) -> Void) {
      if isFirst { run(at: now, emit) }
      inner.handle(event, at: now, emit: emit)
      if !isFirst { run(at: now, emit) }
    }

    mutating func tick(at now: Int, emit: (Heartbeat.Action) -> Void) { inner.tick(at: now, emit: emit) }

    private mutating func run(at now: Int, _ emit: (Heartbeat.Action) -> Void) {
      if let wakeup = inner.wakeup, wakeup == now { inner.tick(at: now, emit: emit) }
    }
  }

  @Test(arguments: [true, false]) func whatIsDueMayComeWithWhatIsHeardAtItsInstant(_ isFirst: Bool) throws {
    for text in ["interval=30s timeout=5s", "interval=30s timeout=5s cadence=fixed"] {
      let parameters = try MachineParameters.of(.heartbeat, text).heartbeat(.ms)
      let kinds = Set(MutationKind.allCases).subtracting([.clockEnd])
      let report = Perturbation(invariants: [.heartbeat(parameters)]) { trace in
        AdapterSwap(HeartbeatAdapter(parameters, header: trace.header)) {
          LoopHeartbeat(inner: Heartbeat(parameters), isFirst: isFirst)
        }
      }.run(try CleanTraces.trace(.heartbeat), seed: 1, count: 2_000, kinds: kinds)
      #expect(report.status == .expected, "\(report.text())")
    }
  }
}
