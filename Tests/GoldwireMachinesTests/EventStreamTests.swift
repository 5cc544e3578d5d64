import GoldwireMachines
import GoldwireProtocols
import Testing

/// The rules of resumed event streams, one by one; instants in milliseconds.
@Suite struct EventStreamTests {
  typealias Actions = [EventStream.Action]

  /// A machine that is fed at instant 0, with the actions since they were last taken.
  private struct Run {
    var machine: EventStream
    var now = 0
    private var actions: Actions = []

    init(_ parameters: EventStream.Parameters = .standard(.milliseconds), cursor: Int = 0) {
      machine = EventStream(parameters)
      feed(.connect(1, cursor: cursor))
      open()
    }

    mutating func feed(_ event: EventStream.Event) { machine.handle(event, at: now) { actions.append($0) } }
    mutating func open() {
      feed(.answered(machine.generation, Answer(status: 200), isEventStream: true))
    }
    mutating func event(_ n: Int, id: Int? = nil, revision: Int = 1) {
      feed(.event(machine.generation, .init(n: n, id: id, revision: revision)))
    }
    mutating func handled(_ n: Int, _ succeeded: Bool = true, generation: Int? = nil) {
      feed(.handled(generation ?? machine.generation, n: n, succeeded: succeeded))
    }
    mutating func cut() { feed(.cut(machine.generation)) }
    mutating func reconnect() {
      now = machine.wakeup ?? now
      machine.tick(at: now) { actions.append($0) }
      open()
    }
    mutating func take() -> Actions {
      defer { actions = [] }
      return actions
    }
  }

  @Test func `An id is handled once, and another content under it is noted`() {
    var run = Run()
    run.event(1, id: 1)
    run.handled(1)
    run.event(2, id: 1)
    run.event(3, id: 1, revision: 2)
    #expect(
      run.take() == [.deliver(1), .commit(cursor: 1), .skip(2), .skip(3), .note(.conflict)])
  }

  @Test func `Under idAndContent another content is delivered`() throws {
    var run = Run(try .init(unit: .milliseconds, dedup: .idAndContent))
    run.event(1, id: 1)
    run.handled(1)
    run.event(2, id: 1, revision: 2)
    run.handled(2)
    run.event(3, id: 1, revision: 2)
    run.event(4, id: 1, revision: 1)
    #expect(run.take() == [.deliver(1), .commit(cursor: 1), .deliver(2), .skip(3), .skip(4)])
  }

  @Test func `An id that is being handled waits for its handler`() {
    var run = Run()
    run.event(1, id: 1)
    run.event(2, id: 1)
    run.event(3, id: 2)
    #expect(run.take() == [.deliver(1), .deliver(3)])
    run.handled(3)
    run.handled(1)
    #expect(run.take() == [.skip(2), .commit(cursor: 1), .commit(cursor: 2)])
    #expect(run.machine.pendingCount == 0)
  }

  @Test func `No id of its own, or the empty one, never counts as the same event`() {
    var run = Run()
    run.event(1, id: 1)
    run.handled(1)
    run.event(2)
    run.handled(2)
    run.event(3)
    run.handled(3)
    run.event(4, id: 0)
    run.handled(4)
    run.event(5, id: 0)
    run.handled(5)
    #expect(
      run.take() == [
        .deliver(1), .commit(cursor: 1), .deliver(2), .deliver(3), .deliver(4), .commit(cursor: 0),
        .deliver(5),
      ])
  }

  @Test func `The carried id starts from the cursor and reaches events without one`() {
    var run = Run(cursor: 7)
    run.event(1)
    run.handled(1)
    run.event(2, id: 8)
    run.event(3)
    run.handled(3)
    run.handled(2)
    #expect(run.take() == [.deliver(1), .deliver(2), .deliver(3), .commit(cursor: 8)])
    run.cut()
    run.reconnect()
    #expect(run.take() == [.connect(cursor: 8)])
  }

  @Test func `A failed handler leaves the cursor, ends the connection, and is tried again`() {
    var run = Run()
    run.event(1, id: 1)
    run.event(2, id: 2)
    run.handled(2)
    run.handled(1, false)
    run.handled(1)
    run.event(3, id: 3)
    #expect(run.take() == [.deliver(1), .deliver(2)])
    #expect(run.machine.phase == .waiting)
    run.reconnect()
    run.event(1, id: 1)
    run.event(2, id: 2)
    run.handled(1)
    #expect(
      run.take() == [.connect(cursor: 0), .deliver(1), .skip(2), .commit(cursor: 1), .commit(cursor: 2)])
  }

  @Test func `The fifth failure of one event stops for good`() {
    var run = Run()
    for attempt in 1...5 {
      run.event(1, id: 1)
      run.handled(1, false)
      if attempt < 5 { run.reconnect() }
    }
    #expect(run.take().last == .stop(.failures))
    #expect(run.machine.wakeup == nil)
    var mixed = Run()
    for attempt in 1...4 {
      mixed.event(1, id: attempt)
      mixed.handled(1)
      mixed.event(2, id: 100)
      mixed.handled(2, false)
      mixed.reconnect()
    }
    mixed.event(1, id: 100)
    mixed.handled(1, false)
    #expect(mixed.take().last == .stop(.failures))
  }

  @Test func `Failures of different events count only while nothing is committed`() {
    var run = Run()
    for n in 1...9 {
      run.event(1, id: n)
      run.handled(1, false)
      run.reconnect()
      run.event(1, id: n)
      run.handled(1)
      run.cut()
      run.reconnect()
    }
    #expect(run.machine.phase == .open)
    #expect(run.machine.committed == 9)
  }

  @Test func `A handler of the last connection still counts, and its event is not delivered twice`() {
    var run = Run()
    run.event(1, id: 1)
    run.cut()
    run.reconnect()
    run.event(1, id: 1)
    #expect(run.take() == [.deliver(1), .connect(cursor: 0)])
    run.handled(1, generation: 1)
    #expect(run.take() == [.skip(1), .commit(cursor: 1)])
    run.event(2, id: 2)
    run.cut()
    run.reconnect()
    run.event(1, id: 2)
    run.handled(2, false, generation: 2)
    run.handled(1)
    #expect(run.take() == [.deliver(2), .connect(cursor: 1), .deliver(1), .commit(cursor: 2)])
  }

  @Test func `A handler that succeeds during the delay moves the cursor of the next request`() {
    var run = Run()
    run.event(1, id: 1)
    run.cut()
    run.handled(1)
    run.reconnect()
    #expect(run.take() == [.deliver(1), .commit(cursor: 1), .connect(cursor: 1)])
  }

  @Test func `Silence ends a connection, and comments are life`() throws {
    var run = Run(try .init(unit: .milliseconds, idle: 500))
    #expect(run.machine.wakeup == 500)
    run.now = 499
    run.feed(.comment(1))
    #expect(run.machine.wakeup == 999)
    run.now = 999
    run.machine.tick(at: 999) { _ in }
    #expect(run.machine.phase == .waiting)
    #expect(run.machine.wakeup == 3_999)
  }

  @Test func `Silence while a handler runs is not the server's, and begins anew at its end`() throws {
    var run = Run(try .init(unit: .milliseconds, idle: 500))
    run.event(1, id: 1)
    run.event(2, id: 2)
    #expect(run.machine.wakeup == nil)
    run.now = 9_000
    run.machine.tick(at: 9_000) { _ in }
    #expect(run.machine.phase == .open)
    run.handled(1)
    #expect(run.machine.wakeup == nil)
    run.now = 9_100
    run.handled(2)
    #expect(run.machine.wakeup == 9_600)
    run.machine.tick(at: 9_600) { _ in }
    #expect(run.machine.phase == .waiting)
  }

  @Test func `The delay is held within its bounds, and keeps over connections`() {
    var run = Run()
    for (asked, delay) in [(0, 100), (99, 100), (1_500, 1_500), (60_001, 60_000), (Int.max, 60_000)] {
      run.feed(.retry(1, milliseconds: asked))
      #expect(run.machine.reconnectDelay == delay)
    }
    run.feed(.retry(1, milliseconds: 200))
    run.cut()
    #expect(run.machine.wakeup == 200)
    run.reconnect()
    run.cut()
    #expect(run.machine.wakeup == 400)
  }

  @Test func `A cancellation ends the reader and its timer, and nothing follows`() {
    var run = Run()
    run.event(1, id: 1)
    run.cut()
    run.feed(.cancel)
    #expect(run.machine.wakeup == nil)
    run.handled(1)
    run.feed(.cancel)
    run.feed(.connect(9, cursor: 0))
    run.machine.tick(at: .max) { _ in #expect(Bool(false)) }
    #expect(run.take() == [.deliver(1), .stop(.cancelled)])
  }

  @Test func `What an older connection says changes nothing`() {
    var run = Run()
    run.cut()
    run.reconnect()
    _ = run.take()
    let events: [EventStream.Event] = [
      .event(1, .init(n: 1, id: 1)), .id(1, 4), .retry(1, milliseconds: 5), .cut(1),
      .answered(1, Answer(status: 204), isEventStream: false), .handled(1, n: 1, succeeded: false),
      .connect(2, cursor: 9), .connect(1, cursor: 9),
    ]
    for event in events { run.feed(event) }
    #expect(run.take() == [])
    #expect(run.machine.phase == .open)
    #expect(run.machine.reconnectDelay == 3_000)
    #expect(run.machine.committed == 0)
  }

  @Test func `A refusal is waited out only by option, and not without end`() throws {
    var run = Run(try .init(unit: .milliseconds, retryStatuses: true))
    run.cut()
    for _ in 1...4 {
      run.now = run.machine.wakeup ?? run.now
      run.machine.tick(at: run.now) { _ in }
      run.feed(.answered(run.machine.generation, Answer(status: 429), isEventStream: false))
    }
    #expect(run.take() == [.stop(.status)])
    var long = Run(try .init(unit: .milliseconds, retryStatuses: true))
    long.cut()
    long.machine.tick(at: 3_000) { _ in }
    long.feed(.answered(2, Answer(status: 503, retryAfter: .seconds(31)), isEventStream: false))
    #expect(long.take() == [.stop(.status)])
  }

  @Test func `The window is bounded, and says when it forgets`() throws {
    var run = Run(try .init(unit: .milliseconds, window: 2))
    for n in 1...3 {
      run.event(n, id: n)
      run.handled(n)
    }
    #expect(run.take().filter { $0 == .note(.idForgot) }.count == 1)
    #expect(run.machine.effects.forgotten == 1)
    run.event(4, id: 3)
    run.event(5, id: 1)
    #expect(run.take() == [.skip(4), .deliver(5)])
  }

  @Test func `Events that wait for their handlers are bounded`() {
    var run = Run()
    for n in 1...EventStream.Limits.pending { run.event(n, id: n) }
    _ = run.take()
    run.event(EventStream.Limits.pending + 1, id: 1)
    #expect(run.take() == [.note(.limit)])
    #expect(run.machine.phase == .waiting)
  }
}
