import GoldwireMachines
import GoldwireProtocols
import Testing

/// The rules of retries, one by one; instants in milliseconds.
@Suite struct RetryTests {
  private let get = Retry.Request(method: "GET")
  private let no = Answer(status: 503)

  private func run(_ steps: [Step<Retry.Event>], _ parameters: Retry.Parameters? = nil) -> [Done<
    Retry.Action
  >] {
    var machine = Retry(parameters ?? .standard(.milliseconds))
    return play(&machine, steps, through: 100_000)
  }

  @Test func `A scripted transport of 503, 429 and 200 is waited out`() {
    let steps: [Step<Retry.Event>] = [
      Step(0, .start(get)), Step(10, .answered(1, Answer(status: 503, unit: 0))),
      Step(520, .answered(2, Answer(status: 429, retryAfter: .seconds(7)))),
      Step(7_600, .answered(3, Answer(status: 200))),
    ]
    #expect(
      run(steps) == [
        Done(10, .wait(for: 500, attempt: 2)), Done(510, .send(2)), Done(520, .wait(for: 7_000, attempt: 3)),
        Done(7_520, .send(3)), Done(7_600, .stop(.delivered)),
      ])
  }

  @Test func `A cancellation never sends, before, during and at the end of a wait`() {
    #expect(run([Step(0, .cancel), Step(1, .start(get))]) == [Done(0, .stop(.cancelled))])
    #expect(
      run([Step(0, .start(get)), Step(5, .cancel), Step(6, .answered(1, Answer(status: 200)))])
        == [Done(5, .stop(.cancelled))])
    for instant in [400, 1_000] {
      #expect(
        run([Step(0, .start(get)), Step(0, .answered(1, no)), Step(instant, .cancel), Step(instant, .cancel)])
          == [Done(0, .wait(for: 1_000, attempt: 2)), Done(instant, .stop(.cancelled))])
    }
    #expect(
      run([Step(0, .start(get)), Step(0, .answered(1, Answer(status: 404))), Step(1, .cancel)])
        == [Done(0, .stop(.notRetryable))])
  }

  @Test func `A change of session drops what is stale, at the next check`() {
    let begin: [Step<Retry.Event>] = [Step(0, .session(3)), Step(0, .start(get))]
    #expect(
      run(begin + [Step(1, .session(4)), Step(2, .answered(1, Answer(status: 200)))])
        == [Done(2, .stop(.stale))])
    #expect(
      run(begin + [Step(0, .answered(1, no)), Step(1, .session(4)), Step(2, .session(3))])
        == [Done(0, .wait(for: 1_000, attempt: 2)), Done(1_000, .stop(.stale))])
    #expect(
      run(begin + [Step(1, .session(3)), Step(2, .answered(1, Answer(status: 200)))])
        == [Done(2, .stop(.delivered))])
  }

  @Test func `Outcomes with an answer are judged in one order`() throws {
    let post = Retry.Request(method: "POST")
    #expect(
      run([Step(0, .start(post)), Step(0, .answered(1, Answer(status: 404)))]).last
        == Done(0, .stop(.notReplayable)))
    #expect(
      run([Step(0, .start(post)), Step(0, .answered(1, Answer(status: 201)))]).last
        == Done(0, .stop(.delivered)))
    #expect(
      run([Step(0, .start(post)), Step(0, .session(1)), Step(0, .answered(1, no))]).last
        == Done(0, .stop(.stale)))
    let none = try Retry.Parameters(unit: .milliseconds, count: 0)
    let long = Answer(status: 503, retryAfter: .seconds(60))
    #expect(run([Step(0, .start(get)), Step(0, .answered(1, long))], none).last == Done(0, .stop(.budget)))
  }

  @Test func `Interim, doubled and foreign answers change nothing`() {
    let steps: [Step<Retry.Event>] = [
      Step(0, .answered(1, no)), Step(0, .start(get)), Step(0, .start(Retry.Request(method: "POST"))),
      Step(1, .answered(1, Answer(status: 100))), Step(1, .answered(1, Answer(status: 103))),
      Step(1, .answered(2, no)), Step(2, .answered(1, Answer(status: 101))),
    ]
    #expect(run(steps) == [Done(2, .stop(.delivered))])
  }

  @Test func `A transport error is retried only by option`() throws {
    let begin: [Step<Retry.Event>] = [Step(0, .start(get))]
    let lost = Step<Retry.Event>(0, .failed(1, .init(.reset)))
    #expect(run(begin + [lost]) == [Done(0, .stop(.transport(.reset)))])
    let option = try Retry.Parameters(unit: .milliseconds, transport: true)
    #expect(run(begin + [lost], option).last == Done(1_000, .send(2)))
    let begun = Step<Retry.Event>(0, .failed(1, .init(.reset, bodyBegun: true)))
    #expect(run(begin + [begun], option) == [Done(0, .stop(.transport(.reset)))])
    let post: [Step<Retry.Event>] = [Step(0, .start(Retry.Request(method: "POST")))]
    #expect(run(post + [lost], option) == [Done(0, .stop(.transport(.reset)))])
    #expect(
      run(begin + [Step(0, .session(2)), lost], option) == [Done(0, .stop(.transport(.reset)))])
    var machine = Retry(option)
    var actions = play(&machine, begin, through: 0)
    for (attempt, now) in [(1, 0), (2, 1_000), (3, 3_000), (4, 7_000)] {
      actions += play(&machine, [Step(now, .failed(attempt, .init(.timeout)))], through: now + 4_000)
    }
    #expect(actions.last == Done(7_000, .stop(.transport(.timeout))))
  }

  @Test func `What is put off says until when, as far as that can be told`() {
    func deferred(_ retryAfter: RetryAfter, at now: Int = 500) -> Int? {
      var machine = Retry(.standard(.milliseconds))
      _ = play(
        &machine,
        [Step(0, .start(get)), Step(now, .answered(1, Answer(status: 503, retryAfter: retryAfter)))],
        through: now)
      #expect(machine.outcome == .deferred)
      return machine.notBefore
    }
    #expect(deferred(.seconds(31)) == 31_500)
    #expect(deferred(.seconds(2_147_483_647)) == 2_147_483_647_500)
    #expect(deferred(.seconds(2_147_483_648)) == nil)
    #expect(deferred(.seconds(.max)) == nil)
    #expect(deferred(.invalid(.over)) == nil)
    #expect(deferred(.seconds(31), at: .max - 10) == nil)
    #expect(deferred(.seconds(1), at: .max - 10) == nil)
  }

  @Test func `A date counts from the answer's own date, unless a cache gave it`() {
    func delay(_ answer: Answer) -> ServerDelay { ServerDelay(answer) }
    var answer = Answer(status: 503, retryAfter: .date(1_000, .imf), date: 990, wall: 980_000_000)
    #expect(delay(answer) == .delay(microseconds: 10_000_000))
    answer.age = 0
    #expect(delay(answer) == .delay(microseconds: 20_000_000))
    answer.date = nil
    answer.age = nil
    answer.wall = 999_999_999
    #expect(delay(answer) == .delay(microseconds: 1))
    answer.wall = 1_000_000_001
    #expect(delay(answer) == .delay(microseconds: 0))
    answer.wall = nil
    #expect(delay(answer) == .invalid(.other))
    answer = Answer(status: 503, retryAfter: .date(.max, .imf), date: .min)
    #expect(delay(answer) == .invalid(.over))
    answer = Answer(status: 503, retryAfter: .date(.min, .imf), date: .max)
    #expect(delay(answer) == .delay(microseconds: 0))
  }

  @Test func `Waits round up, and the cap is tested on the exact delay`() {
    #expect(TimeUnit.milliseconds.roundingUp(microseconds: 1) == 1)
    #expect(TimeUnit.milliseconds.roundingUp(microseconds: 1_000) == 1)
    #expect(TimeUnit.milliseconds.roundingUp(microseconds: .max) == 9_223_372_036_854_776)
    #expect(TimeUnit.microseconds.roundingUp(microseconds: 7) == 7)
    // A date 30.0000001 s ahead is over the cap; one of 29.9995 s is 30 s.
    for (wall, expected) in [
      (969_999_999, Retry.Action.stop(.deferred)), (970_000_500, .wait(for: 30_000, attempt: 2)),
    ] {
      let answer = Answer(status: 503, retryAfter: .date(1_000, .imf), wall: wall)
      #expect(run([Step(0, .start(get)), Step(0, .answered(1, answer))]).first?.action == expected)
    }
    let odd = Answer(status: 503, unit: 1)
    #expect(run([Step(0, .start(get)), Step(0, .answered(1, odd))]).last == Done(501, .send(2)))
  }

  @Test func `A pending wait can be taken up again`() {
    let steps: [Step<Retry.Event>] = [
      Step(0, .resume(get, attempt: 3, until: 800)), Step(900, .answered(3, no)),
    ]
    #expect(
      run(steps) == [
        Done(800, .send(3)), Done(900, .wait(for: 4_000, attempt: 4)), Done(4_900, .send(4)),
      ])
  }

  @Test func `Parameters that make no sense are refused`() throws {
    for (name, make) in [
      ("base", { try Retry.Parameters(unit: .milliseconds, base: 0) }),
      ("cap", { try Retry.Parameters(unit: .milliseconds, cap: -1) }),
      ("factor", { try Retry.Parameters(unit: .milliseconds, factor: .nan) }),
      ("count", { try Retry.Parameters(unit: .milliseconds, count: -1) }),
      ("statuses", { try Retry.Parameters(unit: .milliseconds, statuses: [200]) }),
    ] as [(String, () throws -> Retry.Parameters)] {
      let error = #expect(throws: ParameterError.self) { _ = try make() }
      #expect(error?.name == "retry." + name)
    }
    #expect(try Retry.Parameters(unit: .microseconds) == .standard(.microseconds))
  }
}
