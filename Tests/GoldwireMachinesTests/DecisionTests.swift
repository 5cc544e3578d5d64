import GoldwireMachines
import Testing

/// The script of the article on retries, word for word, and the cases it asks for.
@Suite struct DecisionTests {
  @Test func `The script holds as it was written`() {
    precondition(
      decide(
        status: 503, replayable: true,
        retryIndex: 0, server: nil, unit: 0
      ) == .retry(0.5))

    precondition(
      decide(
        status: 429, replayable: true,
        retryIndex: 1, server: 10, unit: 1
      ) == .retry(10))

    precondition(
      decide(
        status: 429, replayable: true,
        retryIndex: 0, server: 60, unit: 0
      ) == .deferred)

    precondition(
      decide(
        status: 503, replayable: true,
        retryIndex: 3, server: nil, unit: 1
      ) == .stop)

    precondition(
      decide(
        status: 503, replayable: false,
        retryIndex: 0, server: nil, unit: 1
      ) == .stop)
  }

  private func decided(_ index: Int, _ server: Double?, _ unit: Double) -> Decision {
    decide(status: 503, replayable: true, retryIndex: index, server: server, unit: unit)
  }

  @Test func `Retries 0 to 2 double, between half and the whole`() {
    #expect((0...3).map { decided($0, nil, 0) } == [.retry(0.5), .retry(1), .retry(2), .stop])
    #expect((0...3).map { decided($0, nil, 1) } == [.retry(1), .retry(2), .retry(4), .stop])
    #expect(decided(-1, nil, 1) == .stop)
    #expect(decided(.min, nil, 1) == .stop)
    #expect(decided(.max, nil, 1) == .stop)
  }

  @Test func `The cap is kept at it and never shortened above it`() {
    #expect(decided(0, 30, 0) == .retry(30))
    #expect(decided(0, 30.000_000_001, 0) == .deferred)
    #expect(decided(2, 31, 0) == .deferred)
    #expect(decided(0, 0, 0.5) == .retry(0.75))
    #expect(decided(2, 3, 1) == .retry(4))
  }

  @Test func `What is no number stops`() {
    for unit: Double in [-0.1, 1.1, .nan, .infinity] { #expect(decided(0, nil, unit) == .stop) }
    for server: Double in [-1, .nan, .infinity, -.infinity] { #expect(decided(0, server, 0.5) == .stop) }
  }

  @Test func `Only 429 and 503 are retried`() {
    for status in [0, 200, 202, 303, 413, 500, 502, 504, 599] {
      #expect(decide(status: status, replayable: true, retryIndex: 0, server: 5, unit: 0) == .stop)
    }
  }

  @Test func `The seconds asked for are strict, and nil where nothing was said`() {
    #expect(serverDelay(nil, now: 0) == nil)
    for text in ["", "  ", "-5", "0.5", "1e3", "5s", "2, 3", "\u{665}", "99999999999999999999"] {
      #expect(serverDelay(text, now: 0) == nil)
    }
    #expect(serverDelay(" 120 ", now: 0) == 120)
    #expect(serverDelay("0", now: 0) == 0)
    #expect(serverDelay("9999999999", now: 0) == 9_999_999_999)
    let date = "Wed, 21 Oct 2015 07:28:00 GMT"
    #expect(serverDelay(date, now: 1_445_412_480) == 0)
    #expect(serverDelay(date, now: 1_445_412_490) == 0)
    #expect(serverDelay(date, now: 1_445_412_470) == 10)
    #expect(serverDelay(date, now: 1_445_412_479.75) == 0.25)
    #expect(serverDelay("Tue, 21 Oct 2015 07:28:00 GMT", now: 0) == nil)
    #expect(serverDelay("Wednesday, 21-Oct-15 07:28:00 GMT", now: 0) == nil)
    #expect(serverDelay("Wed Oct 21 07:28:00 2015", now: 0) == nil)
  }
}
