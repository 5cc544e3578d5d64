import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What went wrong elsewhere, on the executor: Retry-After in every form, and writes.
@Suite(.timeLimit(.minutes(1))) struct RetryCaseTests {
  /// 2020-06-26T04:28:10Z.
  private static let wall = Date(timeIntervalSince1970: 1_593_145_690)

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var value: String?
    var fields: [(name: String, value: String)] = []
    var unit = 1_000_000
    /// The wait in milliseconds; nil where it is deferred.
    var wait: Int?
  }

  private static let cases: [Case] = [
    Case(testDescription: "negative seconds", value: "-5", wait: 1_000),
    Case(
      testDescription: "a date in the past", value: "Wed, 21 Oct 2015 07:28:00 GMT",
      fields: [(name: "Date", value: "Wed, 21 Oct 2015 07:28:03 GMT")], wait: 1_000),
    Case(testDescription: "no jitter below the server's delay, 0", value: "3", unit: 0, wait: 3_000),
    Case(testDescription: "no jitter below the server's delay, half", value: "3", unit: 500_000, wait: 3_000),
    Case(testDescription: "no jitter below the server's delay, 1", value: "3", wait: 3_000),
    Case(testDescription: "at the cap", value: "30", wait: 30_000),
    Case(testDescription: "over the cap", value: "31", unit: 0, wait: nil),
    Case(testDescription: "ten digits", value: "9999999999", wait: nil),
    Case(testDescription: "twenty digits", value: "99999999999999999999", wait: nil),
    Case(testDescription: "a day", value: "86401", wait: nil),
    Case(testDescription: "IMF-fixdate", value: "Fri, 26 Jun 2020 04:28:20 GMT", wait: 10_000),
    Case(testDescription: "RFC 850", value: "Friday, 26-Jun-20 04:28:20 GMT", wait: 10_000),
    Case(testDescription: "asctime", value: "Fri Jun 26 04:28:20 2020", wait: 10_000),
    Case(testDescription: "another zone", value: "Fri, 26 Jun 2020 04:28:20 UTC", wait: 1_000),
    Case(testDescription: "blanks around", value: " \t2 ", wait: 2_000),
    Case(testDescription: "nothing but blanks", value: " ", wait: 1_000),
    Case(testDescription: "a decimal", value: "0.5", wait: 1_000),
    Case(
      testDescription: "two lines that differ", value: "2", fields: [(name: "retry-after", value: "3")],
      wait: 1_000),
    Case(
      testDescription: "two lines that agree", value: "2", fields: [(name: "RETRY-AFTER", value: "2")],
      wait: 2_000),
    Case(testDescription: "two equal lines that a transport joined", value: "2, 2", wait: 2_000),
    Case(testDescription: "two other lines that a transport joined", value: "2, 3", wait: 1_000),
    Case(testDescription: "zero is no hot loop", value: "0", wait: 1_000),
  ]

  @Test(arguments: cases) func retryAfter(_ one: Case) async throws {
    let answer = ScriptedTransport.Answer.status(429, retryAfter: one.value, fields: one.fields)
    let bench = RetryBench([answer, .status(200)], unit: one.unit, wall: Self.wall)
    let result = try await bench.run(get())
    if let wait = one.wait {
      #expect(result.outcome == .delivered)
      #expect(bench.delays == [wait])
    } else {
      #expect(result.outcome == .deferred)
      #expect(result.reply?.head.status == 429)
      #expect(bench.transport.sends.count == 1)
    }
  }

  /// The wall clock is read once, at receipt; where it is set meanwhile moves no wait.
  @Test(arguments: ["10", "Fri, 26 Jun 2020 04:28:20 GMT"], [3_600.0, -3_600])
  func theWallClockMayBeSetDuringTheWait(_ asked: String, _ step: Double) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport([.status(503, retryAfter: asked), .status(200)], clock: clock)
    let wall = Watched(Self.wall)
    let executor = RetryExecutor(
      transport: transport, clock: clock, unit: { 1_000_000 }, wall: WallTime { wall.value })
    async let result = executor.send(get())
    _ = await clock.waits()
    clock.advance(by: .seconds(4))
    wall.update { $0 += step }
    await clock.advanceToNextWait()
    #expect(try await result.outcome == .delivered)
    #expect(transport.sends.map(\.at) == [.zero, .seconds(10)])
  }

  @Test func whatIsDeferredSaysUntilWhen() async throws {
    let bench = RetryBench([.status(429, retryAfter: "86401")])
    let result = try await bench.run(get())
    #expect(result.notBefore == bench.clock.instant(after: .seconds(86_401)))
    let over = RetryBench([.status(429, retryAfter: "99999999999999999999")])
    #expect(try await over.run(get()).notBefore == nil)
  }

  @Test(arguments: [413, 202, 500, 502]) func otherStatusesAreNotRetried(_ status: Int) async throws {
    let bench = RetryBench([.status(status, retryAfter: "5")])
    let result = try await bench.run(get())
    #expect(result.outcome == (status < 400 ? .delivered : .notRetryable))
    #expect(bench.transport.sends.count == 1)
  }

  @Test func aRefusalBehindARedirectIsRetriedOnTheSameBudget() async throws {
    let bench = RetryBench([.status(503, retryAfter: "1").behindRedirect(303), .status(200)])
    #expect(try await bench.run(get()).outcome == .delivered)
    #expect(bench.instants == [0, 1_000])
  }

  // MARK: Writes

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func aWriteWithoutAKeyIsSentOnce(_ method: String) async throws {
    let bench = RetryBench([.status(503, retryAfter: "1"), .status(200)])
    let result = try await bench.run(LogicalRequest(write(method, body: "order")))
    #expect(result.outcome == .notReplayable)
    #expect(result.reply?.head.status == 503)
    #expect(bench.transport.sends.count == 1)
  }

  @Test func aKeyThatTheServerDoesNotKeepIsNoReasonToSendTwice() async throws {
    let bench = RetryBench([.status(429), .status(200)])
    let request = LogicalRequest(write(body: "order", fields: ["Idempotency-Key": "K1"]))
    #expect(try await bench.run(request).outcome == .notReplayable)
    #expect(bench.transport.sends.count == 1)
  }

  @Test func aBuilderThatOffersAnotherKeyDoesNotGetIt() async throws {
    let bench = RetryBench([.status(503), .status(200)])
    let request = LogicalRequest(
      write(body: "order"), idempotency: .serverKeepsKeys("K1"),
      header: { request, attempt in
        var request = request
        request.setValue("K\(attempt)", forHTTPHeaderField: "Idempotency-Key")
        request.setValue("token \(attempt)", forHTTPHeaderField: "Authorization")
        request.httpBody = Data("another order".utf8)
        request.httpMethod = "DELETE"
        request.url = URL(string: "http://127.0.0.1/elsewhere")
        return request
      })
    #expect(try await bench.run(request).outcome == .delivered)
    let sends = bench.transport.sends
    #expect(sends.map { $0.request.value(forHTTPHeaderField: "Idempotency-Key") } == ["K1", "K1"])
    #expect(sends.map { $0.request.value(forHTTPHeaderField: "Authorization") } == ["token 1", "token 2"])
    #expect(sends.map(\.body) == [Array("order".utf8), Array("order".utf8)])
    #expect(sends.allSatisfy { $0.request.httpMethod == "POST" && $0.request.url == address })
  }

  @Test func aBodyThatCannotBeRepeatedIsSentOnce() async throws {
    let bench = RetryBench([.status(503, retryAfter: "1"), .status(200)])
    var request = write()
    request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 42))
    let result = try await bench.run(LogicalRequest(request, idempotency: .serverKeepsKeys()))
    #expect(result.outcome == .notReplayable)
    #expect(bench.transport.sends.map(\.body.count) == [42])
  }

  @Test func aBodyThatIsMadeAnewIsTheSameEachTime() async throws {
    let bench = RetryBench([.status(503, retryAfter: "1"), .status(200)])
    let request = LogicalRequest(
      write(), idempotency: .serverKeepsKeys(),
      body: { InputStream(data: Data(repeating: 7, count: 42)) })
    #expect(try await bench.run(request).outcome == .delivered)
    #expect(
      bench.transport.sends.map(\.body) == [[UInt8]](repeating: Array(repeating: 7, count: 42), count: 2))
    #expect(
      Set(bench.transport.sends.map { $0.request.value(forHTTPHeaderField: "Idempotency-Key") }).count == 1)
  }

  @Test func aReadWithAOneShotBodyIsSentOnce() async throws {
    let bench = RetryBench([.status(503), .status(200)])
    var request = URLRequest(url: address)
    request.httpBodyStream = InputStream(data: Data([1]))
    #expect(try await bench.run(LogicalRequest(request)).outcome == .notReplayable)
  }
}
