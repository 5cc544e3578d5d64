import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

/// What independent clients were told, inferred from their packets: the captures of the corpus.
@Suite struct RecordedInferenceTests {
  private static func inference(
    _ scenario: String, _ machine: MachineName, slack: Int = 50_000
  ) throws -> Inference {
    let path = CorpusConformanceTests.folder + "/" + scenario + "/trace.jsonl"
    var trace = try Trace(bytes: AtomicFile.read(path))
    // Nobody says what was in force.
    (trace.header.inForce, trace.header.inForceBy) = (nil, nil)
    return Inference(trace, machine, slack: TimeSpan(microseconds: slack))
  }

  struct Told: Sendable, CustomTestStringConvertible {
    var scenario: String
    var interval: Int
    var timeout: Int?
    /// The cadences that are left.
    var cadence: [String]
    var testDescription: String { scenario }
  }

  @Test(
    "heartbeats of websockets, aiohttp and gql",
    arguments: [
      Told(scenario: "ws-keepalive-slow-pongs", interval: 400, timeout: 300, cadence: ["fixed"]),
      Told(scenario: "ws-keepalive-silent", interval: 300, timeout: 200, cadence: ["afterPong", "fixed"]),
      Told(scenario: "ws-aiohttp-slow-pongs", interval: 600, timeout: nil, cadence: ["afterPong"]),
      Told(scenario: "ws-aiohttp-silent", interval: 400, timeout: nil, cadence: ["afterPong", "fixed"]),
      Told(scenario: "ws-aiohttp-heartbeat", interval: 400, timeout: nil, cadence: ["afterPong", "fixed"]),
      Told(
        scenario: "ws-aiohttp-messages", interval: 600, timeout: nil,
        cadence: ["afterInbound", "afterTraffic"]
      ),
      Told(
        scenario: "ws-graphql-ping", interval: 400, timeout: nil, cadence: ["afterPong", "afterInbound"]
      ),
    ])
  func heartbeats(_ told: Told) throws {
    let inference = try Self.inference(told.scenario, .heartbeat)
    let (interval, timeout) = (try #require(inference["interval"]), try #require(inference["timeout"]))
    #expect(interval.value.allows(span: told.interval * 1_000), "\(interval.value)")
    #expect(interval.taken == .span(TimeSpan(microseconds: told.interval * 1_000)))
    // No looser than the slack, and the shade before it.
    guard case .span(let low?, let high?) = interval.value else {
      Issue.record("not bounded: \(interval.value)")
      return
    }
    #expect(high - low <= 52_000)
    if let known = told.timeout {
      #expect(timeout.value.allows(span: known * 1_000), "\(timeout.value)")
      #expect(timeout.taken == .span(TimeSpan(microseconds: known * 1_000)))
    } else {
      guard case .span(.some, nil) = timeout.value else {
        Issue.record(
          "bounded, though no pong was missed, or one close alone may be the user's: \(timeout.value)")
        return
      }
      #expect(timeout.record != nil)
    }
    #expect(inference["cadence"]?.value == .words(told.cadence), "\(told.scenario)")
  }

  @Test("urllib3: the first retry at once, then 0.2 s doubled, four times, with hardly a jitter")
  func urllib3() throws {
    let inference = try Self.inference("http-retry-urllib3-backoff", .retry)
    #expect(inference["firstRetry"]?.value == .words(["atOnce", "delayed"]))
    #expect(
      inference["firstRetry"]?.remark?.hasPrefix("delayed only if the jitter begins at nothing") == true)
    #expect(inference["jitterKind"]?.value.allows(word: "none") == true)
    // That every wait of one kind is alike is no chance.
    #expect(inference["jitterKind"]?.remark?.contains("with full waits so alike would come once in") == true)
    let base = try #require(inference["base", "none, first at once"])
    #expect(base.value.allows(span: 200_000) && !base.value.allows(span: 150_000))
    guard case .factor(let low, let high)? = inference["factor", "none, first at once"]?.value else {
      Issue.record("no factor")
      return
    }
    #expect(low > 1.7 && low <= 2 && high >= 2 && high < 2.4)
    #expect(inference["count"]?.value == .count(low: 4, high: 4))
    #expect(inference["statuses"]?.value == .numbers([503]))
    #expect(inference["retryAfter"]?.value == .untold)
  }

  @Test("urllib3 waits what the server asks, and sends no POST again")
  func retryAfter() throws {
    let stock = try Self.inference("http-retry-stock-urllib3", .retry)
    #expect(stock["retryAfter"]?.value == .flag(true))
    #expect(stock["jitterKind"]?.record != nil)
    #expect(try Self.inference("http-retry-transport", .retry)["transport"]?.value == .flag(true))
    #expect(try !Self.inference("http-retry-post", .retry).hasEvidence)
  }

  @Test("Chromium and httpx-sse: delay, retry field, Last-Event-ID and idle timeout")
  func streams() throws {
    let chromium = try Self.inference("sse-chromium-default-delay", .stream)
    #expect(chromium["delay"]?.value.allows(span: 3_000_000) == true)
    #expect(chromium["lastEventID"]?.value == .flag(true))
    #expect(chromium.alike.map(\.name) == ["chromium-eventsource"])
    #expect(chromium["retryField"]?.value == .untold)
    #expect(try Self.inference("sse-chromium-cut-inside", .stream)["retryField"]?.value == .flag(true))
    let httpx = try Self.inference("sse-httpx-idle", .stream)
    #expect(httpx["delay"]?.value.allows(span: 500_000) == true)
    #expect(httpx["idle"]?.taken == .span(TimeSpan(microseconds: 400_000)))
  }
}
