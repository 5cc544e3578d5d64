import GoldwireMachines
import Testing

/// The script of the article that the machine grew from, word for word, and the cases it asks for.
@Suite struct HeartbeatSeedTests {
  @Test func `The script holds as it was written`() {
    var h = Heartbeat(interval: 100, timeout: 1000)
    let first = h.connect()
    h.opened(first, now: 0)

    precondition(h.tick(now: 99) == nil)
    precondition(h.tick(now: 100) == .ping(first))
    precondition(h.tick(now: 1099) == nil)
    h.pong(first, now: 1100)
    precondition(h.tick(now: 1100) == .close(first))

    let second = h.connect()
    h.opened(first, now: 1200)
    precondition(h.phase == .connecting)
    h.opened(second, now: 2000)
    precondition(h.tick(now: 2100) == .ping(second))

    h.pong(first, now: 2150)
    precondition(h.tick(now: 3100) == .close(second))

    let third = h.connect()
    h.opened(third, now: 4000)
    precondition(h.tick(now: 4100) == .ping(third))
    h.pong(third, now: 4200)
    precondition(h.tick(now: 4299) == nil)
    precondition(h.tick(now: 4300) == .ping(third))
  }

  @Test func `Opening again changes nothing`() {
    var h = Heartbeat(interval: 100, timeout: 1_000)
    let first = h.connect()
    h.opened(first, now: 0)
    h.opened(first, now: 50)
    #expect(h.tick(now: 99) == nil)
    #expect(h.tick(now: 100) == .ping(first))
    h.opened(first, now: 150)
    #expect(h.isAwaitingPong)
    #expect(h.tick(now: 1_100) == .close(first))
    h.opened(first, now: 1_200)
    #expect(h.phase == .idle)
  }

  @Test func `A pong while idle changes nothing`() {
    var h = Heartbeat(interval: 100, timeout: 1_000)
    let fresh = h
    h.pong(0, now: 5)
    h.pong(1, now: 5)
    #expect(h == fresh)
    let first = h.connect()
    h.opened(first, now: 0)
    _ = h.tick(now: 100)
    _ = h.tick(now: 1_100)
    let closed = h
    h.pong(first, now: 1_150)
    #expect(h == closed)
    #expect(h.phase == .idle)
  }

  @Test func `Ticks after the timeout close once`() {
    var h = Heartbeat(interval: 100, timeout: 1_000)
    let first = h.connect()
    h.opened(first, now: 0)
    #expect(h.tick(now: 100) == .ping(first))
    #expect(h.tick(now: 1_100) == .close(first))
    for now in [1_100, 1_101, 2_200, Int.max] { #expect(h.tick(now: now) == nil) }
    #expect(h.cause == .pongTimeout)
  }

  @Test func `Generation and phase start as in the script`() {
    let h = Heartbeat(interval: 100, timeout: 1_000)
    #expect(h.generation == 0)
    #expect(h.phase == .idle)
    #expect((h.interval, h.timeout) == (100, 1_000))
  }

  @Test func `Spans that are not positive are refused`() async {
    for (name, interval, timeout, connect) in [
      ("interval", 0, 1, 1), ("timeout", 1, -1, 1), ("connectTimeout", 1, 1, 0),
    ] {
      #expect(throws: ParameterError(name: "heartbeat." + name, rule: "positive")) {
        try Heartbeat.Parameters(interval: interval, timeout: timeout, connectTimeout: connect)
      }
    }
    await #expect(processExitsWith: .failure) { _ = Heartbeat(interval: 0, timeout: 1) }
    await #expect(processExitsWith: .failure) { _ = Heartbeat(interval: 1, timeout: 0) }
  }
}
