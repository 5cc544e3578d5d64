import Foundation
import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// A cut replays in step with the whole: inside the span each machine does the same, at the same instants.
@Suite struct CutReplayTests {
  static let traces: [String] = {
    let folder = CorpusConformanceTests.folder
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { FileManager.default.fileExists(atPath: folder + "/" + $0 + "/trace.jsonl") }.sorted()
  }()

  /// Parameters to ask with: those in force, and for a written trace any.
  private static func asked(_ trace: Trace) throws -> [MachineParameters] {
    var asked: [MachineParameters] = []
    for machine in TraceReplay.machines(drivenBy: trace) {
      if let named = trace.header.inForce?[machine] { asked.append(try MachineParameters(machine, named)) }
      if trace.header.source == .written {
        for values in written[machine] ?? [] { asked.append(try MachineParameters(machine, values)) }
      }
    }
    return asked
  }

  private static let written: [MachineName: [[ParameterName: ParameterValue]]] = [
    .heartbeat: [
      [.interval: .milliseconds(30_000), .timeout: .milliseconds(10_000)],
      [.interval: .milliseconds(700), .timeout: .milliseconds(300), .policy: .word(.anyInboundIsLife)],
      [.interval: .milliseconds(100), .timeout: .milliseconds(1_000), .cadence: .word(.fixed)],
    ],
    .retry: [[:], [.transport: .flag(true), .base: .milliseconds(200)]],
    .stream: [[:], [.idle: .milliseconds(700), .delay: .milliseconds(200), .retryStatuses: .flag(true)]],
  ]

  private func actions(_ trace: Trace, _ asked: MachineParameters) throws -> [GoldenLine] {
    let tick: TickMode = trace.header.source == .written ? .exact : .recorded
    return try TraceReplay.replay(trace, asked, options: ReplayOptions(tick: tick)).replayed.actions.map(
      \.line)
  }

  /// The actions in a span; pseudonyms count from 1 again in a cut, and marks of sync stand where its pins do.
  private func part(_ lines: [GoldenLine], _ span: Range<Int>) -> [GoldenLine] {
    lines.filter { span.contains($0.t) && $0.action != .sync && $0.action != .unsync }.map {
      var line = $0
      line.id = line.id.map { min($0, 1) }
      line.cursor = line.cursor.map { min($0, 1) }
      return line
    }
  }

  private func check(_ trace: Trace, _ spans: Int, _ random: inout SeededGenerator) throws {
    let horizon = trace.horizon
    let asked = try Self.asked(trace)
    let whole = try asked.map { try actions(trace, $0) }
    for _ in 0..<spans {
      let isAtLine = Bool.random(using: &random)
      let line = trace.lines.randomElement(using: &random)?.t ?? 0
      let from = isAtLine ? line : Int.random(in: 0...horizon, using: &random)
      let to = Bool.random(using: &random) ? horizon : Int.random(in: from...horizon, using: &random)
      let cut = TraceCut(span: from...to, tool: "hand")
      let result = try cut.apply(to: trace)
      // What came after tells how a last wait was; and a pause that is cut lets its ticks go at once.
      let isOpen = try cut.openRequests(in: trace) > 0
      let isPaused = result.lines.dropLast().last?.event.isPause ?? false
      for (index, parameters) in asked.enumerated() where !isOpen || parameters.machine != .retry {
        let span = from..<(isPaused ? to : to + 1)
        let got = part(try actions(result, parameters), span)
        let want = part(whole[index], span)
        #expect(got == want, "\(parameters.machine) from \(from) to \(to)")
      }
    }
  }

  @Test("a trace of the corpus", arguments: traces)
  func corpus(name: String) throws {
    let trace = try Trace(bytes: AtomicFile.read(CorpusConformanceTests.folder + "/\(name)/trace.jsonl"))
    var random = SeededGenerator(seed: UInt64(name.count))
    try check(trace, 24, &random)
  }
}

extension TraceEvent {
  fileprivate var isPause: Bool { if case .recPause = self { true } else { false } }
}

extension ParameterValue {
  fileprivate static func milliseconds(_ number: Int) -> ParameterValue {
    .span(TimeSpan(microseconds: number * 1_000))
  }
}
