import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireProtocols
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is sent, when, and how it ends.
@Suite(.timeLimit(.minutes(1))) struct RetryExecutorTests {
  @Test func eachSendKeepsItsPlannedDelay() async throws {
    let bench = RetryBench([.status(503), .status(429, retryAfter: "10"), .status(200, body: "ok")], unit: 0)
    let result = try await bench.run(get())
    #expect(result.outcome == .delivered)
    #expect(result.sends == 3)
    #expect(bench.delays == [500, 10_000])
    #expect(bench.log.compactMap(\.plannedDelay) == [.milliseconds(500), .seconds(10)])
    #expect(try await result.reply?.body.bytes() == Array("ok".utf8))
    #expect(bench.transport.open == 0)
  }

  @Test func theBudgetIsFourSends() async throws {
    let bench = RetryBench([.status(503), .status(503), .status(503), .status(503), .status(200)])
    let result = try await bench.run(get())
    #expect(result.outcome == .budget)
    #expect(result.reply?.head.status == 503)
    #expect(bench.instants == [0, 1_000, 3_000, 7_000])
  }

  @Test func aReplyThatNobodyReadsLeavesNoRequestBehind() async throws {
    let bench = RetryBench([.status(200, body: "ok")])
    #expect(try await bench.run(get()).reply?.head.status == 200)
    #expect(bench.transport.open == 0)
    #expect(bench.transport.cancelled == 1)
  }

  @Test func sendingItOnceMoreGivesTheSameOutcomeAndNothingIsSent() async throws {
    let bench = RetryBench([.status(503), .status(503), .status(503), .status(503), .status(200)])
    let request = get()
    for _ in 1...3 { #expect(try await bench.run(request).outcome == .budget) }
    #expect(bench.transport.sends.count == 4)
  }

  @Test func twoLayersSendFourTimesInAllAndAHopCostsNothing() async throws {
    let answers: [ScriptedTransport.Answer] = [
      .status(503), .status(503).behindRedirect(), .status(503), .status(503), .status(200),
    ]
    let bench = RetryBench(answers)
    let outer = RetryExecutor(
      transport: bench.executor, clock: bench.clock, gate: bench.gate, unit: { 1_000_000 })
    async let result = outer.send(get())
    for _ in 1...3 { await bench.clock.advanceToNextWait() }
    #expect(try await result.outcome == .budget)
    #expect(try await result.reply?.head.status == 503)
    #expect(bench.instants == [0, 1_000, 3_000, 7_000])
  }

  @Test func anotherRequestWithinAnAttemptHasItsOwnBudget() async throws {
    let bench = RetryBench([.status(503), .status(200), .status(200)])
    let token = RetryBench([.status(503), .status(200)])
    let request = LogicalRequest(
      URLRequest(url: address),
      header: { request, attempt in
        let url = URL(string: "http://127.0.0.1/token") ?? address
        let result = try await token.run(LogicalRequest(URLRequest(url: url)))
        #expect(result.outcome == (attempt == 1 ? .delivered : .transport(.unreach)))
        return request
      })
    #expect(try await bench.run(request).outcome == .delivered)
    #expect(token.transport.sends.count == 3, "the second token's request finds the script at its end")
  }

  @Test func aSecondSenderAtTheSameTimeIsRefused() async throws {
    let bench = RetryBench([.status(200).held()])
    let request = get()
    async let first = bench.executor.send(request)
    try await bench.transport.held()
    await #expect(throws: AlreadyUnderWay()) { try await bench.executor.send(request) }
    bench.transport.release()
    #expect(try await first.outcome == .delivered)
  }

  @Test func transportErrorsAreRetriedOnlyByOption() async throws {
    let plain = RetryBench([.failure(.reset), .status(200)])
    #expect(try await plain.run(get()).outcome == .transport(.reset))
    #expect(plain.transport.sends.count == 1)
    let parameters = try Retry.Parameters(unit: .microseconds, transport: true)
    let willing = RetryBench([.failure(.reset), .status(503), .status(200)], parameters: parameters)
    #expect(try await willing.run(get()).outcome == .delivered)
    #expect(willing.instants == [0, 1_000, 3_000])
  }

  @Test func theLastReplyIsHandedOverWithEachOutcome() async throws {
    let refused = RetryBench([.status(500, body: "why")])
    let result = try await refused.run(get())
    #expect(result.outcome == .notRetryable)
    #expect(try await result.reply?.body.bytes() == Array("why".utf8))
  }

  @Test func aReplyThatIsRetriedIsNotLeftOpen() async throws {
    let bench = RetryBench([.status(503, body: "a long page"), .status(200)])
    let result = try await bench.run(get())
    #expect(bench.transport.cancelled == 1)
    result.reply?.body.cancel()
    #expect(bench.transport.open == 0)
  }

  @Test func theLogHoldsNumbersAndClosedWordsAlone() async throws {
    let bench = RetryBench([.status(503, retryAfter: "+5"), .status(404)])
    let request = get()
    _ = try await bench.run(request)
    #expect(
      bench.log == [
        RetryRecord(
          request: request.number, status: 503, retryIndex: 0, plannedDelay: .seconds(1), stop: nil,
          retryAfterFault: .sign),
        RetryRecord(
          request: request.number, status: 404, retryIndex: 1, plannedDelay: nil, stop: .notRetryable,
          retryAfterFault: nil),
      ])
  }
}
