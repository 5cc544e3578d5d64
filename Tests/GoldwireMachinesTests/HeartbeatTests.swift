import GoldwireMachines
import Testing

/// The rules of the heartbeat, one by one.
@Suite struct HeartbeatTests {
  private func opened(_ parameters: Heartbeat.Parameters? = nil) -> Heartbeat {
    var h = parameters.map(Heartbeat.init) ?? Heartbeat(interval: 100, timeout: 50)
    h.opened(h.connect(now: 0), now: 0)
    return h
  }

  @Test func `A pong at the deadline is late, before the tick and after it`() {
    var pongFirst = opened()
    _ = pongFirst.tick(now: 100)
    var tickFirst = pongFirst
    pongFirst.pong(1, now: 150)
    #expect(pongFirst.tick(now: 150) == .close(1))
    #expect(tickFirst.tick(now: 150) == .close(1))
    tickFirst.pong(1, now: 150)
    #expect(pongFirst == tickFirst)
  }

  @Test func `Missed dues are one ping, and the deadline counts from that ping`() {
    var h = opened()
    #expect(h.tick(now: 950) == .ping(1))
    #expect(h.wakeup == 1_000)
    #expect(h.tick(now: 999) == nil)
  }

  @Test func `A newer generation supersedes one that lives`() {
    var h = opened()
    #expect(h.connect(as: 5, now: 10) == .ended(1))
    #expect(h.lastEnd?.generation == 1)
    #expect(h.cause == .superseded)
    #expect(h.connect(as: 5, now: 10) == nil)
    #expect(h.connect(as: 4, now: 10) == nil)
    #expect(h.generation == 5)
    #expect(h.phase == .connecting)
    #expect(h.connect() == 6)
    #expect(h.lastEnd?.generation == 5)
  }

  @Test func `A pong with an id answers only its ping`() {
    var h = opened()
    #expect(h.pingID == nil)
    _ = h.tick(now: 100)
    #expect(h.pingID == 1)
    h.pong(1, id: 0, now: 110)
    h.pong(1, id: 2, now: 110)
    #expect(h.isAwaitingPong)
    h.pong(1, id: 1, now: 120)
    #expect(h.wakeup == 220)
    _ = h.tick(now: 220)
    #expect(h.pingID == 2)
    h.pong(1, id: 1, now: 230)
    #expect(h.isAwaitingPong)
  }

  @Test func `Of a ping's completions only the first counts`() {
    var h = opened()
    _ = h.tick(now: 100)
    #expect(h.pinged(1, id: 1, result: .ok, now: 110) == nil)
    #expect(h.pinged(1, id: 1, result: .error, now: 111) == nil)
    #expect(h.wakeup == 210)
    _ = h.tick(now: 210)
    #expect(h.pinged(1, id: 1, result: .cancelled, now: 215) == nil)
    #expect(h.pinged(1, id: nil, result: .cancelled, now: 216) == .ended(1))
    #expect(h.cause == .sendFailed)
    var late = opened()
    _ = late.tick(now: 100)
    #expect(late.pinged(1, id: nil, result: .ok, now: 150) == nil)
    #expect(late.pinged(1, id: nil, result: .error, now: 150) == nil)
    #expect(late.tick(now: 150) == .close(1))
  }

  @Test func `Each end has its cause, and whatever follows is nothing`() {
    for cause in [Heartbeat.Cause.refused, .reset, .fin, .error, .timeout, .peerClosed] {
      var h = opened()
      #expect(h.ended(1, cause: cause, code: 1_001) == .ended(1))
      #expect((h.cause, h.code) == (cause, 1_001))
      #expect(h.ended(1, cause: .error) == nil)
      #expect(h.userClose(1) == nil)
      #expect(h.tick(now: .max) == nil)
      #expect(h.wakeup == nil)
    }
    var user = opened()
    #expect(user.userClose(2) == nil)
    #expect(user.userClose(1) == .close(1))
    #expect(user.cause == .userClosed)
    #expect(user.ended(1, cause: .fin) == nil)
    #expect(user.cause == .userClosed)
  }

  @Test func `A handshake may have its own deadline`() throws {
    let parameters = try Heartbeat.Parameters(interval: 100, timeout: 50, connectTimeout: 20)
    var h = Heartbeat(parameters)
    _ = h.connect(now: 0)
    #expect(h.wakeup == 20)
    #expect(h.tick(now: 19) == nil)
    var inTime = h
    inTime.opened(1, now: 20)
    #expect(inTime.tick(now: 20) == nil)
    #expect(h.tick(now: 20) == .close(1))
    #expect(h.cause == .connectTimeout)
    h.opened(1, now: 21)
    #expect(h.phase == .idle)
    _ = h.connect()
    #expect(h.wakeup == nil)
    var refused = Heartbeat(parameters)
    _ = refused.connect(now: 0)
    #expect(refused.ended(1, cause: .refused) == .ended(1))
    #expect(refused.tick(now: 20) == nil)
  }

  @Test func `In the background nothing wakes the machine, and nothing is sent`() {
    var h = opened()
    h.background()
    #expect(h.wakeup == nil)
    #expect(h.tick(now: 500) == nil)
    #expect(h.network(available: true, now: 500) == nil)
    var awaiting = opened()
    _ = awaiting.tick(now: 100)
    awaiting.background()
    #expect(awaiting.tick(now: 149) == nil)
    #expect(awaiting.tick(now: 150) == .close(1))
    #expect(awaiting.cause == .pongTimeout)
  }

  @Test func `The foreground judges first, and adds nothing twice`() {
    var early = opened()
    early.background()
    #expect(early.foreground(now: 99) == nil)
    #expect(early.wakeup == 100)
    var overdue = opened()
    overdue.background()
    #expect(overdue.foreground(now: 100) == .ping(1))
    #expect(overdue.foreground(now: 100) == nil)
    var inTime = opened()
    _ = inTime.tick(now: 100)
    inTime.background()
    #expect(inTime.foreground(now: 149) == nil)
    #expect(inTime.foreground(now: 150) == .close(1))
    #expect(inTime.foreground(now: 150) == nil)
    var connecting = Heartbeat(interval: 100, timeout: 50)
    #expect(connecting.foreground(now: 1_000) == nil)
    _ = connecting.connect()
    #expect(connecting.foreground(now: 1_000) == nil)
  }

  @Test func `A network probes an open connection at once`() {
    var h = opened()
    #expect(h.network(available: false, now: 10) == nil)
    #expect(h.network(available: true, now: 10) == .ping(1))
    #expect(h.wakeup == 60)
    #expect(h.network(available: true, now: 11) == nil)
    var connecting = Heartbeat(interval: 100, timeout: 50)
    _ = connecting.connect()
    #expect(connecting.network(available: true, now: 10) == nil)
  }

  @Test func `A fixed cadence counts from the previous ping`() throws {
    var h = opened(try .init(interval: 100, timeout: 250, cadence: .fixed))
    #expect(h.tick(now: 100) == .ping(1))
    h.pong(1, now: 140)
    #expect(h.wakeup == 200)
    #expect(h.tick(now: 200) == .ping(1))
    #expect(h.tick(now: 300) == nil)
    h.pong(1, now: 430)
    #expect(h.tick(now: 430) == .ping(1))
    h.pong(1, now: 431)
    #expect(h.wakeup == 530)
  }

  @Test func `Anything inbound moves the deadline only while a pong is awaited`() throws {
    var h = opened(try .init(interval: 100, timeout: 50, policy: .anyInboundIsLife))
    h.inbound(1, now: 50)
    #expect(h.wakeup == 100)
    _ = h.tick(now: 100)
    h.inbound(2, now: 120)
    #expect(h.wakeup == 150)
    h.inbound(1, now: 120)
    #expect(h.wakeup == 170)
    h.pong(1, id: 9, now: 130)
    #expect(h.wakeup == 180)
    h.pong(1, id: nil, now: 180)
    #expect(h.tick(now: 180) == .close(1))
  }

  @Test func `After a gap the machine is in step with a ping due now`() {
    var h = opened()
    _ = h.tick(now: 100)
    h.background()
    h.resume(3, pingID: 7, now: 500)
    #expect(h.phase == .open)
    #expect(h.wakeup == 500)
    #expect(h.tick(now: 500) == .ping(3))
    #expect(h.pingID == 7)
    h.resume(2, pingID: nil, now: 600)
    #expect(h.generation == 3)
    #expect(h.pingID == 7)
  }

  @Test func `Instants beyond the clock are never reached, and nothing traps`() {
    var h = Heartbeat(interval: .max, timeout: .max)
    h.opened(h.connect(), now: 5)
    #expect(h.wakeup == nil)
    #expect(h.tick(now: .max) == nil)
    #expect(h.network(available: true, now: .max) == .ping(1))
    #expect(h.wakeup == nil)
    #expect(h.tick(now: .max) == nil)
    h.pong(1, now: .max)
    #expect(!h.isAwaitingPong)
    #expect(h.connect(as: .max, now: .max) == .ended(1))
    #expect(h.connect() == .max)
    #expect(h.phase == .connecting)
    var early = Heartbeat(interval: 1, timeout: 1)
    early.opened(early.connect(), now: .min)
    #expect(early.tick(now: .max) == .ping(1))
  }
}
