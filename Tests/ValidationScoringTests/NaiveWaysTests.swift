import GoldwireReplay
import GoldwireTrace
import Testing

@testable import ValidationScoring

/// What is guessed without inference, on small recordings.
@Suite("A naive way does what it says") struct NaiveWaysTests {
  private static let second = 1_000_000

  /// A reader whose stream is cut at 2 s and is there again after its delay of 3 s, which it resumes.
  private static let stream = Trace(
    header: TraceHeader(tool: "t", source: .tap, unit: .us, clock: .continuous, at: .client),
    lines: [
      line(0, 1, .sseConnect(cursor: nil)),
      line(100_000, 1, .sseOpen(status: 200, type: .eventStream, retry: RetryFields())),
      line(second, 1, .sseEvent(n: 1, id: 1, rev: 1, bytes: 9)),
      line(2 * second, 1, .sseCut(cause: .reset, dir: .in, partial: 0)),
      line(5 * second, 2, .sseConnect(cursor: 1)),
      line(5 * second + 300_000, 2, .sseOpen(status: 200, type: .eventStream, retry: RetryFields())),
      line(6 * second, 2, .sseEvent(n: 1, id: 2, rev: 1, bytes: 9)),
      TraceLine(t: 20 * second, event: .recEnd(why: .stopped, counts: nil)),
    ])

  private static func line(_ t: Int, _ generation: Int, _ event: TraceEvent) -> TraceLine {
    TraceLine(t: t, channel: Channel(.sse, 1), generation: generation, event: event)
  }

  private static func reader(delay: Int) throws -> MachineParameters {
    try MachineParameters(.stream, [.delay: .span(TimeSpan(microseconds: delay))])
  }

  private static func naive(delay: Int, isConstant: Bool) throws -> [String] {
    NaiveStream.steps(of: stream, try reader(delay: delay).stream(.us), isConstant: isConstant).map(told)
  }

  private static func told(_ step: Step) -> String {
    "\(step.key.kind) \(step.key.ordinal) at \(step.t / 1_000)"
  }

  @Test func aReaderThatIsAsItWasDoesWhatItDid() throws {
    let recorded = try ActionScore.steps(
      of: Self.stream, try Self.reader(delay: 3 * Self.second), tick: .exact)
    let said = try Self.naive(delay: 3 * Self.second, isConstant: false)
    #expect(said.contains("send 2 at 5000") && said.contains("deliver 2 at 6000"))
    #expect(Set(recorded.map(Self.told)).isSubset(of: said))
  }

  @Test func theSecondConnectionGetsWhatTheSecondOneGot() throws {
    let said = try Self.naive(delay: Self.second, isConstant: false)
    #expect(
      said == [
        "deliver 1 at 1000", "commit 1 at 1000", "send 2 at 3000", "deliver 2 at 4000", "commit 2 at 4000",
      ])
  }

  @Test func aConstantWayAnswersAsQuicklyAsEver() throws {
    let said = try Self.naive(delay: Self.second, isConstant: true)
    #expect(said.suffix(2) == ["deliver 2 at 3800", "commit 2 at 3800"])
  }

  @Test func whoeverKnowsIsAskedForEachRequest() throws {
    var asked: [NaiveStream.Request] = []
    let steps = NaiveStream.steps(of: Self.stream, try Self.reader(delay: Self.second).stream(.us)) {
      request in
      asked.append(request)
      let t = request.t
      return request.number > 2
        ? nil
        : [
          (t, .answered(status: 200, isEventStream: true)), (t + 10, .event(id: request.number, revision: 1)),
          (t + 20, .cut),
        ]
    }
    #expect(
      asked == [
        .init(number: 1, t: 0, cursor: 0), .init(number: 2, t: Self.second + 20, cursor: 1),
        .init(number: 3, t: 2 * Self.second + 40, cursor: 2),
      ])
    #expect(steps.count { $0.key.kind == .deliver } == 2)
  }

  @Test func aStreamThatIsGivenUpIsWorse() throws {
    var silent = Self.stream
    silent.lines[3].event = .sseCut(cause: .local, dir: .out, partial: 0)
    #expect(ActionScore.gaveUp(silent) == [2 * Self.second] && ActionScore.gaveUp(Self.stream) == [])
    let steps = try ActionScore.steps(of: Self.stream, try Self.reader(delay: 3 * Self.second))
    func verdict(_ before: [Int], _ after: [Int]) -> CausalVerdict {
      ActionScore.verdict(steps, steps, gaveUp: (before, after), until: 10 * Self.second)
    }
    #expect(verdict([], []) == .same && verdict([5], [7]) == .same)
    #expect(verdict([], [2 * Self.second]) == .regression && verdict([2 * Self.second], []) == .improvement)
    // What comes at the edge may have its like behind it.
    #expect(verdict([], [11 * Self.second]) == .same)
  }

  @Test func theSecondAttemptGetsTheSecondReply() throws {
    func line(_ t: Int, _ event: TraceEvent) -> TraceLine {
      TraceLine(t: t, channel: Channel(.http, 1), event: event)
    }
    func send(_ attempt: Int) -> TraceEvent {
      .httpSend(HTTPSend(req: 1, attempt: attempt, method: .get))
    }
    func answer(_ attempt: Int, _ status: Int) -> TraceEvent {
      .httpResponse(HTTPResponse(req: 1, attempt: attempt, status: status, retry: RetryFields()))
    }
    let trace = Trace(
      header: TraceHeader(tool: "t", source: .tap, unit: .us, clock: .continuous, at: .client),
      lines: [
        line(0, send(1)), line(50_000, answer(1, 503)),
        line(50_000, .httpWait(req: 1, try: 2, for: 750_000, unit: 500_000)),
        line(800_000, send(2)), line(810_000, answer(2, 200)),
        TraceLine(t: 9 * Self.second, event: .recEnd(why: .stopped, counts: nil)),
      ])
    let parameters = try MachineParameters(.retry, [.base: .span(TimeSpan(microseconds: 2 * Self.second))])
    let naive = NaiveRequests(
      starts: [0], parameters: try parameters.retry(.us), unit: NaiveRequests.units(in: trace))
    #expect(
      naive.steps(after: trace, isConstant: false).map(Self.told) == ["send 2 at 1550", "stop 0 at 1560"])
    #expect(
      naive.steps(after: trace, isConstant: true).map(Self.told) == ["send 2 at 1510", "stop 0 at 1520"])
  }
}
