import Foundation
import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing

// begin
/// It barks when an open connection has been silent for half a second.
private struct Watchdog: Machine {
  enum Event { case opened, heard, closed }
  enum Action: Equatable { case bark }
  private(set) var wakeup: Int?

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    wakeup = event == .closed ? nil : now + 500
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard let due = wakeup, now >= due else { return }
    wakeup = nil
    emit(.bark)
  }
}

private struct WatchdogAdapter: ReplayAdapter {
  let family = Channel.Family.ws

  func makeMachine() -> Watchdog { Watchdog() }

  func read(_ line: TraceLine, at index: Int, memory: inout NoMemory) -> Reading<Watchdog.Event> {
    switch line.event {
    case .wsOpen: .begin(.opened)
    case .wsMessage: .input(.heard)
    case .wsEnd: .input(.closed)
    default: .note
    }
  }

  func line(for action: Watchdog.Action, of machine: Watchdog, memory: NoMemory) -> GoldenLine {
    GoldenLine("bark")
  }
}

private let quietWhenClosed = Invariant<Watchdog>("quiet", "what is closed is not barked at") { history in
  var isOpen = false
  for (index, moment) in history.moments.enumerated() {
    switch moment.what {
    case .event(.opened): isOpen = true
    case .event(.closed): isOpen = false
    case .action(.bark) where !isOpen: return index
    default: break
    }
  }
  return nil
}
// end

/// The example of docs/perturb.md, which must hold the same lines, and what comes of it.
@Suite("Perturb: a machine of a user's own") struct PerturbExampleTests {
  private static let trace = Written(
    "0 ws1#1 ws.connect", "40 ws1#1 ws.open status=101", "300 ws1#1 ws.message dir=in kind=text bytes=5",
    "700 ws1#1 ws.end cause=fin dir=in", "2000 rec.end why=written")

  private static func report() throws -> PerturbReport {
    let kinds: Set<MutationKind> = [.late, .twice, .never, .reorder, .edge]
    return Perturbation(WatchdogAdapter(), invariants: [quietWhenClosed])
      .run(try trace.trace(), seed: 1, count: 200, kinds: kinds)
  }

  @Test func itsFaultIsFound() throws {
    let report = try Self.report()
    let finding = try #require(report.findings.first)
    #expect(report.findings.count == 1)
    #expect(finding.rule.name == "quiet")
    #expect(finding.trace.lines.count <= 5)
    #expect(report.kinds.allSatisfy { report.tried[$0, default: 0] > 0 })
  }

  @Test func thePageHasTheCodeAndItsOutput() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let page = try String(contentsOf: root.appending(path: "docs/perturb.md"), encoding: .utf8)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let code = source.split(separator: "// begin\n")[1].split(separator: "// end\n")[0]
    #expect(
      page.contains(code.replacing("private struct", with: "struct").replacing("private let", with: "let")))
    let text = try Self.report().text()
    #expect(page.contains("```\n" + text + "```"), "\(text)")
  }
}
