import GoldwireMachines
import GoldwireProtocols
import Testing

/// Faults of retries in the field, each a small input with one right outcome; instants in milliseconds.
@Suite struct RetryFaultTests {
  typealias Actions = [Done<Retry.Action>]

  /// 2020-06-26T04:28:10Z.
  private let wall = 1_593_145_690

  private func answer(
    _ status: Int, _ retryAfter: String? = nil, date: Int? = nil, unit: Int = 1_000_000
  ) -> Answer {
    Answer(
      status: status, retryAfter: RetryAfter.read(retryAfter, now: wall), date: date,
      wall: wall * 1_000_000, unit: unit)
  }

  private func run(_ answers: [Answer]) -> Actions { run(.init(method: "GET"), answers) }

  private func run(
    _ request: Retry.Request, _ answers: [Answer], through end: Int = 100_000
  ) -> Actions {
    var machine = Retry(.standard(.milliseconds))
    var actions = play(&machine, [Step(0, .start(request))], through: 0)
    var now = 0
    for (index, answer) in answers.enumerated() {
      actions += play(&machine, [Step(now, .answered(index + 1, answer))], through: end)
      now = actions.last?.at ?? now
    }
    return actions
  }

  @Test func `B18 Negative seconds, and dates that are past`() {
    let resent: Actions = [Done(0, .wait(for: 1_000, attempt: 2)), Done(1_000, .send(2))]
    #expect(run([answer(429, "-5")]) == resent)
    // 2015-10-21T07:28:03Z is the response's own date.
    #expect(run([answer(503, "Wed, 21 Oct 2015 07:28:00 GMT", date: 1_445_412_483)]) == resent)
  }

  @Test func `B20 A random part goes below the server's delay, or through the cap`() {
    for unit in [0, 500_000, 1_000_000] {
      #expect(
        run([answer(429, "3", unit: unit)])
          == [Done(0, .wait(for: 3_000, attempt: 2)), Done(3_000, .send(2))])
      #expect(run([answer(429, "31", unit: unit)]) == [Done(0, .stop(.deferred))])
    }
    #expect(run([answer(429, "30")]).last == Done(30_000, .send(2)))
  }

  @Test(arguments: ["9999999999", "99999999999999999999", "86401"])
  func `B22 Delays that are too large are put off`(text: String) {
    #expect(run([answer(429, text)]) == [Done(0, .stop(.deferred))])
  }

  @Test func `B23 A date's zone, locale and form`() throws {
    func wait(_ text: String, oldDates: Bool = true) throws -> Actions {
      var machine = Retry(try .init(unit: .milliseconds, oldDates: oldDates))
      let steps: [Step<Retry.Event>] = [
        Step(0, .start(.init(method: "GET"))), Step(0, .answered(1, answer(503, text))),
      ]
      return play(&machine, steps, through: 0)
    }
    let forms = [
      "Fri, 26 Jun 2020 04:28:20 GMT", "Friday, 26-Jun-20 04:28:20 GMT", "Fri Jun 26 04:28:20 2020",
    ]
    for form in forms { #expect(try wait(form) == [Done(0, .wait(for: 10_000, attempt: 2))]) }
    #expect(try wait("Fri, 26 Jun 2020 04:28:20 UTC") == [Done(0, .wait(for: 1_000, attempt: 2))])
    let strict = try forms.map { try wait($0, oldDates: false).first?.action }
    #expect(strict == [10_000, 1_000, 1_000].map { .wait(for: $0, attempt: 2) })
  }

  @Test func `B25 The second attempt would have an empty body`() {
    var request = Retry.Request(
      isSafe: false, serverKeepsKeys: true, hasKey: true, bodyIsRepeatable: false)
    #expect(run(request, [answer(503, "1")]) == [Done(0, .stop(.notReplayable))])
    request.bodyIsRepeatable = true
    #expect(run(request, [answer(503, "1")]).last == Done(1_000, .send(2)))
  }

  @Test func `B26 An unsafe request is sent again, or under another key`() {
    #expect(run(.init(method: "POST"), [answer(503, "1")]) == [Done(0, .stop(.notReplayable))])
    #expect(run(.init(method: "PUT"), [answer(503)]) == [Done(0, .stop(.notReplayable))])
    #expect(run(.init(method: "POST"), [answer(429)]) == [Done(0, .stop(.notReplayable))])
    let keyed = Retry.Request(method: "POST", replayable: true, hasKey: true)
    #expect(run(keyed, [answer(503)]).last == Done(1_000, .send(2)))
    #expect(run(.init(method: "POST", replayable: true), [answer(503)]) == [Done(0, .stop(.notReplayable))])
    var machine = Retry(.standard(.milliseconds))
    let steps: [Step<Retry.Event>] = [
      Step(0, .start(keyed)), Step(0, .answered(1, answer(503))), Step(1_001, .changed(2)),
      Step(1_002, .answered(2, answer(503))),
    ]
    #expect(play(&machine, steps, through: 90_000).last == Done(1_002, .stop(.notReplayable)))
  }

  @Test func `B28 Layers of retries multiply`() {
    var machine = Retry(.standard(.milliseconds))
    let no = answer(503)
    let steps: [Step<Retry.Event>] = [
      Step(0, .start(.init(method: "GET"))), Step(0, .answered(1, no)), Step(0, .answered(1, no)),
      Step(1_001, .hop(2)), Step(1_001, .answered(2, no)), Step(1_001, .answered(2, no)),
      Step(3_002, .answered(3, no)), Step(7_003, .answered(4, no)), Step(7_003, .answered(4, no)),
    ]
    #expect(
      play(&machine, steps, through: 100_000) == [
        Done(0, .wait(for: 1_000, attempt: 2)), Done(1_000, .send(2)),
        Done(1_001, .wait(for: 2_000, attempt: 3)), Done(3_001, .send(3)),
        Done(3_002, .wait(for: 4_000, attempt: 4)), Done(7_002, .send(4)), Done(7_003, .stop(.budget)),
      ])
  }

  @Test func `B30 Retry-After stands on other statuses`() {
    for status in [413, 500, 502] {
      #expect(run([answer(status, "5")]) == [Done(0, .stop(.notRetryable))])
    }
    for status in [202, 303] { #expect(run([answer(status, "5")]) == [Done(0, .stop(.delivered))]) }
    var machine = Retry(.standard(.milliseconds))
    let steps: [Step<Retry.Event>] = [
      Step(0, .start(.init(method: "GET"))), Step(5, .hop(1)), Step(9, .answered(1, answer(503, "1"))),
    ]
    #expect(
      play(&machine, steps, through: 2_000)
        == [Done(9, .wait(for: 1_000, attempt: 2)), Done(1_009, .send(2))])
  }

  @Test func `B32 The wall clock jumps during the wait`() {
    let first = answer(503, "10")
    var later = answer(503, "Fri, 26 Jun 2020 04:28:20 GMT")
    #expect(run([first]).last == Done(10_000, .send(2)))
    #expect(run([later]).last == Done(10_000, .send(2)))
    // What the wall clock says afterwards reaches no machine; only the next answer's own instant does.
    later.wall = (wall + 3_600) * 1_000_000
    #expect(run([first, later]).last == Done(12_000, .send(3)))
  }
}
