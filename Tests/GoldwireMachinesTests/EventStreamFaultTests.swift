import GoldwireMachines
import GoldwireProtocols
import Testing

/// Faults of resumed event streams in the field, from bytes to actions; instants in milliseconds.
@Suite struct EventStreamFaultTests {
  typealias Actions = [Done<EventStream.Action>]
  typealias Steps = [Step<EventStream.Event>]

  private let ok = Answer(status: 200)

  private func opened(_ generation: Int = 1, at: Int = 0) -> Steps {
    [
      Step(at, .connect(generation, cursor: 0)),
      Step(at, .answered(generation, ok, isEventStream: true)),
    ]
  }

  /// The parser's items as the machine's events; ids are numbered as they appear.
  private func read(_ text: String, generation: Int = 1, at: Int = 0) -> Steps {
    var parser = EventStreamParser(keepsData: true)
    var table = EventIDTable()
    let bytes = Array(text.utf8)
    var steps: Steps = []
    var index = 0
    var n = 0
    while let item = parser.next(bytes.span, at: &index) {
      let id = parser.hasID ? table.number(of: parser.id) : nil
      switch item {
      case .event:
        n += 1
        let revision = table.revision(of: id ?? 0, digest: parser.contentDigest)
        steps.append(Step(at, .event(generation, .init(n: n, id: id, revision: revision))))
      case .id: steps.append(Step(at, .id(generation, id ?? 0)))
      case .comment: steps.append(Step(at, .comment(generation)))
      case .retry(let milliseconds): steps.append(Step(at, .retry(generation, milliseconds: milliseconds)))
      }
    }
    return steps
  }

  private func run(_ steps: Steps, through end: Int, retryStatuses: Bool = false) throws -> Actions {
    var machine = EventStream(try .init(unit: .milliseconds, retryStatuses: retryStatuses))
    return play(&machine, steps, through: end)
  }

  @Test func `B40 The stream ends inside an event`() throws {
    let steps =
      opened() + read("id: 1\ndata: a\n\nid: 2\ndata: b\n")
      + [Step(1, .handled(1, n: 1, succeeded: true)), Step(2, .cut(1))]
    #expect(
      try run(steps, through: 3_002)
        == [Done(0, .deliver(1)), Done(1, .commit(cursor: 1)), Done(3_002, .connect(cursor: 1))])
  }

  @Test func `B42 The retry field is bad, signed, foreign, huge or zero`() throws {
    let text = "retry: 1500\n\nretry: 15s\n\nretry: -1\n\nretry: \u{665}\n\nretry\n\ndata: x\n\n"
    let steps =
      opened() + read(text) + [Step(0, .handled(1, n: 1, succeeded: true)), Step(0, .cut(1))]
      + [Step(1_600, .answered(2, ok, isEventStream: true)), Step(2_000, .cut(2))]
      + [Step(3_501, .answered(3, ok, isEventStream: true))]
      + read("retry: 0\n", generation: 3, at: 3_501) + [Step(4_000, .cut(3))]
      + [Step(4_101, .answered(4, ok, isEventStream: true))]
      + read("retry: 99999999999999999999\n", generation: 4, at: 4_101) + [Step(5_000, .cut(4))]
    let actions = try run(steps, through: 65_000)
    #expect(actions.first == Done(0, .deliver(1)))
    #expect(actions.dropFirst().map(\.at) == [1_500, 3_500, 4_100, 65_000])
  }

  @Test func `B44 Status and type decide whether to connect again`() throws {
    func answered(_ answer: Answer, isEventStream: Bool = false, retryStatuses: Bool = false) throws
      -> Actions
    {
      let steps: Steps =
        opened() + [Step(0, .cut(1)), Step(3_100, .answered(2, answer, isEventStream: isEventStream))]
        + read("data: a\n\ndata: b\n\n", generation: 2, at: 3_100) + [Step(3_100, .cut(2))]
      return try Array(run(steps, through: 8_200, retryStatuses: retryStatuses).dropFirst())
    }
    #expect(try answered(Answer(status: 204)) == [Done(3_100, .stop(.noContent))])
    #expect(try answered(Answer(status: 200)) == [Done(3_100, .stop(.type))])
    let busy = Answer(status: 503, retryAfter: .seconds(5))
    #expect(try answered(busy) == [Done(3_100, .stop(.status))])
    #expect(try answered(busy, retryStatuses: true) == [Done(8_100, .connect(cursor: 0))])
    let open = try answered(ok, isEventStream: true)
    #expect(open.last == Done(6_100, .connect(cursor: 0)))
    let failed: Steps = opened() + [Step(0, .cut(1)), Step(3_050, .cut(2)), Step(3_060, .cut(2))]
    #expect(
      try run(failed, through: 7_000)
        == [Done(3_000, .connect(cursor: 0)), Done(6_050, .connect(cursor: 0))])
  }

  @Test func `B47 Empty data, ids alone and handlers that fail`() throws {
    let begin = opened() + read("id: p0\ndata:\n\nid: 5\n\n: hb\n\ndata: {\"x\":1}\n\n")
    let delivered: Actions = [Done(0, .deliver(1)), Done(0, .deliver(2))]
    func handled(_ at: Int, _ n: Int, _ succeeded: Bool = true) -> Step<EventStream.Event> {
      Step(at, .handled(1, n: n, succeeded: succeeded))
    }
    #expect(
      try run(begin + [handled(1, 1), handled(2, 2)], through: 10)
        == delivered + [Done(1, .commit(cursor: 1)), Done(1, .commit(cursor: 2))])
    #expect(
      try run(begin + [handled(1, 1, false), handled(2, 2)], through: 3_001)
        == delivered + [Done(3_001, .connect(cursor: 0))])
    #expect(
      try run(begin + [handled(1, 2), handled(2, 1)], through: 10)
        == delivered + [Done(2, .commit(cursor: 1)), Done(2, .commit(cursor: 2))])
  }

  @Test func `The article's two passes: cut after the first event, then the rest`() throws {
    let steps =
      opened() + read("id: 1\ndata: queued\n\n")
      + [Step(0, .handled(1, n: 1, succeeded: true)), Step(0, .cut(1))]
      + [Step(3_001, .answered(2, ok, isEventStream: true)), Step(3_001, .event(2, .init(n: 1, id: 2)))]
      + [Step(3_001, .event(2, .init(n: 2, id: 3))), Step(3_002, .handled(2, n: 1, succeeded: true))]
      + [Step(3_003, .handled(2, n: 2, succeeded: true)), Step(3_004, .cancel)]
    let actions = try run(steps, through: 90_000)
    #expect(
      actions.map(\.action) == [
        .deliver(1), .commit(cursor: 1), .connect(cursor: 1), .deliver(1), .deliver(2),
        .commit(cursor: 2), .commit(cursor: 3), .stop(.cancelled),
      ])
  }
}
