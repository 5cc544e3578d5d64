import GoldwireReplay
import GoldwireTrace
import Testing

@testable import ValidationScoring

/// The scoring: what was planted wrong is found, and nothing else.
@Suite("A planted mistake is counted where it belongs") struct ScoringTests {
  private static let second = 1_000_000

  /// A session that opens, is pinged five times, and ends.
  private static func session(_ grade: Grade? = nil) -> [Step] {
    var steps = [
      Step(.init(.connect, session: 1, ordinal: 1), t: 0, grade: grade),
      Step(.init(.open, session: 1), t: second / 10, grade: grade),
    ]
    for ping in 1...5 {
      let t = ping * 10 * second
      steps.append(Step(.init(.ping, session: 1, ordinal: ping), t: t, grade: grade))
      steps.append(
        Step(.init(.answer, session: 1, ordinal: ping), t: t + second / 20, grade: grade, proof: grade))
    }
    steps.append(Step(.init(.end, session: 1), t: 60 * second, cause: "reset", grade: grade))
    return steps
  }

  private static var window: Window {
    get throws {
      func parameters(_ interval: Int) throws -> MachineParameters {
        try MachineParameters(
          .heartbeat,
          [
            .interval: .span(TimeSpan(microseconds: interval * second)),
            .timeout: .span(TimeSpan(microseconds: 5 * second)),
          ])
      }
      return try Window(parameters(10), asked: parameters(10), horizon: 200 * second)
    }
  }

  private static func score(_ predicted: [Step], against truth: [Step]) throws -> Score {
    let setting = Experiment.Setting(
      family: "planted", hasOutage: true, seed: 1, traffic: "none", change: "none")
    return Score(
      setting, .tap, outcomes: [.causal: Outcome(predicted, against: truth, try window)], verdict: .same,
      truth: .same)
  }

  @Test func whatIsRightIsRight() throws {
    let study = Study([try Self.score(Self.session(.bounded), against: Self.session())])
    let tally = study.tally([.bounded])
    #expect(tally.lines == Rate(6, of: 6))
    #expect(tally.runs == Rate(1, of: 1))
    #expect(study.tally(.causal)?.f1 == 1)
    #expect(study.tally(.causal)?.exact == Rate(1, of: 1))
    #expect(study.ownProofs == Rate(5, of: 5))
    #expect(study.answered(.interpolated) == Rate(6, of: 6))
  }

  @Test func aPingThatWasNeverSentIsContradicted() throws {
    let truth = Self.session().filter { $0.key != .init(.ping, session: 1, ordinal: 3) }
    let study = Study([try Self.score(Self.session(.observed), against: truth)])
    #expect(study.tally([.observed]).lines == Rate(5, of: 6))
    #expect(study.tally([.observed]).runs == Rate(0, of: 1))
    // Up to the first wrong one: two right, one wrong.
    #expect(study.tally([.observed]).first == Rate(2, of: 3))
    #expect(study.tally([.interpolated]).lines.count == 0)
    #expect(study.tally(.causal)?.exact == Rate(0, of: 1))
  }

  @Test func anotherCauseIsContradicted() throws {
    var predicted = Self.session(.interpolated)
    predicted[predicted.count - 1].cause = "pongTimeout"
    let study = Study([try Self.score(predicted, against: Self.session())])
    #expect(study.tally([.interpolated]).lines == Rate(5, of: 6))
    #expect(study.tally(.causal)?.recall == Rate(5, of: 6))
  }

  @Test func anInstantFarOffIsContradictedUnlessItsBoundsHoldIt() throws {
    var predicted = Self.session(.interpolated)
    let place = try #require(predicted.firstIndex { $0.key == .init(.ping, session: 1, ordinal: 2) })
    predicted[place].t += 6 * Self.second
    predicted[place].earliest = predicted[place].t
    predicted[place].latest = predicted[place].t
    var study = Study([try Self.score(predicted, against: Self.session())])
    #expect(study.tally([.interpolated]).lines == Rate(5, of: 6))
    predicted[place].earliest = 19 * Self.second
    predicted[place].latest = 27 * Self.second
    study = Study([try Self.score(predicted, against: Self.session())])
    #expect(study.tally([.interpolated]).lines == Rate(6, of: 6))
    #expect(study.tally([.interpolated]).near == Rate(5, of: 6))
    #expect(study.tally(.causal)?.precision == Rate(5, of: 6))
  }

  @Test func whatWasNotPredictedIsMissed() throws {
    let predicted = Self.session(.observed).filter { $0.key.kind != .end }
    let study = Study([try Self.score(predicted, against: Self.session())])
    #expect(study.tally([.observed]).lines == Rate(5, of: 5))
    #expect(study.tally(.causal)?.recall == Rate(5, of: 6))
    #expect(study.tally(.causal)?.exact == Rate(0, of: 1))
  }

  @Test func afterTheWindowNothingCounts() throws {
    var window = try Self.window
    window.until = 35 * Self.second
    let outcome = Outcome(Self.session(.observed), against: Self.session(), window)
    #expect(outcome.reported.count == 3)
    #expect(outcome.truths == 3)
    #expect(outcome.isExact)
  }

  /// A line at which a second run is not like the first is wrong by chance; where both runs agree, it is wrong.
  @Test func whatIsNotLikeItselfIsWrongByChance() throws {
    let window = try Self.window
    var (was, again) = (Self.session(), Self.session())
    for index in was.indices where was[index].key.kind == .ping && (2...4).contains(was[index].key.ordinal) {
      was[index].t += 8 * Self.second
      if was[index].key.ordinal > 2 { again[index].t += 8 * Self.second }
    }
    let score = Score(
      .init(family: "calm", hasOutage: false, seed: 0, traffic: "none", change: "none"), .tap,
      outcomes: [.causal: Outcome(Self.session(.observed), against: was, window)], verdict: .same,
      truth: .same)
    #expect(Study([score]).tally([.observed]).wrong == "3/6")
    let excused = Study([score.excused(by: again, was, window)])
    #expect(excused.tally([.observed]).wrong == "2/6, and 1 by chance")
    #expect(excused.tally([.observed]).lines == Rate(3, of: 6))
  }

  // MARK: Ends and verdicts

  @Test func aFirmEndIsRightWhereASessionEndedForThatReason() throws {
    func end(_ t: Int, _ cause: String, firm: Bool = true) -> PredictedEnd {
      PredictedEnd(
        earliest: t * Self.second, latest: t * Self.second, cause: cause, isFirm: firm, grade: .interpolated)
    }
    let ends = [end(60, "reset"), end(60, "pongTimeout"), end(90, "reset"), end(90, "reset", firm: false)]
    let judged = Score.judge(ends, Self.session(), try Self.window)
    #expect(judged.map(\.isRight) == [true, false, false])
  }

  @Test func anEndThatIsNewIsARegressionAndOneThatIsGoneAnImprovement() throws {
    let (with, without) = (Self.session(), Self.session().filter { $0.key.kind != .end })
    #expect(Score.verdict(without, with, try Self.window) == .regression)
    #expect(Score.verdict(with, without, try Self.window) == .improvement)
    #expect(Score.verdict(with, with, try Self.window) == .same)
  }

  @Test func sameThatHidesARegressionIsCounted() throws {
    var score = try Self.score(Self.session(.observed), against: Self.session())
    score.truth = .regression
    #expect(Study([score]).hidden == Rate(1, of: 1))
    score.verdict = .inconclusive
    #expect(Study([score]).hidden == Rate(0, of: 0))
  }

  // MARK: Traces

  private static let text = """
    {"goldwire":1,"tool":"goldwire 0.1.0","source":"tap","unit":"us","clock":"continuous","at":"client"}
    {"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}
    {"t":1000,"ch":"ws1","gen":1,"ev":"ws.refused","cause":"refused"}
    {"t":2000000,"ch":"ws1","gen":2,"ev":"ws.connect"}
    {"t":2100000,"ch":"ws1","gen":2,"ev":"ws.open","status":101}
    {"t":12100000,"ch":"ws1","gen":2,"ev":"ws.ping","dir":"out","id":1}
    {"t":12150000,"ch":"ws1","gen":2,"ev":"ws.pong","dir":"in","id":1}
    {"t":22150000,"ch":"ws1","gen":2,"ev":"ws.ping","dir":"out","id":2}
    {"t":27150000,"ch":"ws1","gen":2,"ev":"ws.close","dir":"out","code":1001,"by":"machine"}
    {"t":30000000,"ev":"rec.end","why":"stopped"}

    """

  @Test func stepsAreNumberedBySessions() throws {
    let trace = try Trace(bytes: Array(Self.text.utf8))
    let parameters = try MachineParameters(
      .heartbeat,
      [
        .interval: .span(TimeSpan(microseconds: 10_000_000)),
        .timeout: .span(TimeSpan(microseconds: 5_000_000)),
      ])
    let steps = try SocketSteps.steps(of: trace, parameters)
    #expect(
      steps.map(\.key) == [
        .init(.connect, session: 1, ordinal: 1), .init(.end, session: 1, ordinal: 1, hasFailed: true),
        .init(.connect, session: 1, ordinal: 2), .init(.open, session: 1),
        .init(.ping, session: 1, ordinal: 1), .init(.answer, session: 1, ordinal: 1),
        .init(.ping, session: 1, ordinal: 2), .init(.end, session: 1),
      ])
    #expect(steps.compactMap(\.cause) == ["refused", "pongTimeout"])
    #expect(trace.stretched(by: 10).lines[3].t == 21_000_000)
    // A patient client would have waited: verbatim, nothing ends.
    let patient = try MachineParameters(
      .heartbeat,
      [
        .interval: .span(TimeSpan(microseconds: 10_000_000)),
        .timeout: .span(TimeSpan(microseconds: 9_000_000)),
      ])
    #expect(try SocketSteps.steps(of: trace, patient, tick: .exact).last?.key.kind == .ping)
    let naive = try NaiveClient.steps(of: trace, parameters, asked: parameters, .constant)
    #expect(naive.count { $0.key.kind == .answer } == 2)
  }

  // MARK: Tables

  @Test func aTableIsRenewedBetweenItsMarks() {
    let table = Table("one", ["a", "b"], [["1", "2"]])
    let text = "before\n<!-- table one -->\nold\n<!-- end -->\n<!-- table two -->\nkept\n<!-- end -->\n"
    let renewed = DocumentMarks.renew(text, [table])
    #expect(
      renewed
        == "before\n<!-- table one -->\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n<!-- end -->\n<!-- table two -->\nkept\n<!-- end -->\n"
    )
    #expect(DocumentMarks.renew(renewed, [table]) == renewed)
  }

  @Test func numbersAreShownAsTheyAre() {
    #expect(Text.percent(1) == "100.0 %")
    #expect(Text.percent(0.99996) == "99.996 %")
    #expect(Text.percent(0.123) == "12.3 %")
    #expect(Text.fixed(-1.25, 1) == "−1.3")
    #expect(Text.count(1_234_567) == "1,234,567")
    #expect(Text.milliseconds(-2_400) == "−2")
  }
}
