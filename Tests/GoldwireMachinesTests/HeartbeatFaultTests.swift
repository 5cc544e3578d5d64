import GoldwireMachines
import Testing

/// Faults of heartbeats in the field, each a small input with one right outcome.
@Suite struct HeartbeatFaultTests {
  typealias Steps = [Step<Heartbeat.Event>]
  typealias Actions = [Done<Heartbeat.Action>]

  private var machine = Heartbeat(interval: 30_000, timeout: 10_000)

  private static func open(_ generation: Int, at: Int = 0) -> Steps {
    [Step(at, .connect(generation)), Step(at, .opened(generation))]
  }

  @Test mutating func `B01 The flag of a reply still due survives a reconnect`() {
    let steps: Steps =
      Self.open(1) + [Step(31_000, .ended(1, .reset, code: nil))] + Self.open(2, at: 32_000)
      + [Step(62_050, .pong(2, id: nil))]
    let actions = play(&machine, steps, through: 70_000)
    #expect(actions == [Done(30_000, .ping(1)), Done(31_000, .ended(1)), Done(62_000, .ping(2))])
  }

  @Test mutating func `B02 The late end of the old socket kills the new one`() {
    let steps: Steps =
      Self.open(1) + [
        Step(40_010, .connect(2)), Step(40_200, .opened(2)),
        Step(40_900, .ended(1, .peerClosed, code: 1_006)), Step(40_950, .ended(1, .error, code: nil)),
      ]
    let actions = play(&machine, steps, through: 75_000)
    #expect(actions == [Done(30_000, .ping(1)), Done(40_000, .close(1)), Done(70_200, .ping(2))])
    #expect(machine.cause == .pongTimeout)
  }

  @Test mutating func `B04 One ping has two completions`() {
    let steps: Steps =
      Self.open(1) + [
        Step(31_000, .pinged(1, id: 1, .error)), Step(31_000, .pinged(1, id: 1, .cancelled)),
        Step(31_005, .ended(1, .reset, code: nil)),
      ]
    let actions = play(&machine, steps, through: 50_000)
    #expect(actions == [Done(30_000, .ping(1)), Done(31_000, .ended(1))])
    #expect(machine.cause == .sendFailed)
  }

  @Test func `B05 A large message hides the pong, under both policies`() throws {
    let data = stride(from: 30_100, through: 41_000, by: 100).map { Step($0, Heartbeat.Event.inbound(1)) }
    let steps: Steps = Self.open(1) + data + [Step(41_050, .pong(1, id: nil))]
    var strict = Heartbeat(interval: 30_000, timeout: 10_000)
    #expect(play(&strict, steps, through: 60_000) == [Done(30_000, .ping(1)), Done(40_000, .close(1))])
    var lenient = Heartbeat(
      try .init(interval: 30_000, timeout: 10_000, policy: .anyInboundIsLife))
    #expect(
      play(&lenient, steps, through: 75_000) == [Done(30_000, .ping(1)), Done(71_050, .ping(1))])
  }

  @Test func `B07 The deadline is a timer of its own`() {
    var short = Heartbeat(interval: 30_000, timeout: 5_000)
    #expect(
      play(&short, Self.open(1), through: 90_000) == [Done(30_000, .ping(1)), Done(35_000, .close(1))])
    var long = Heartbeat(interval: 2_000, timeout: 60_000)
    #expect(
      play(&long, Self.open(1), through: 90_000) == [Done(2_000, .ping(1)), Done(62_000, .close(1))])
  }

  @Test mutating func `B08 A close cannot finish on a dead link`() {
    let steps: Steps =
      Self.open(1) + Self.open(2, at: 41_000) + [
        Step(45_000, .pong(1, id: nil)), Step(71_030, .pong(2, id: nil)),
        Step(101_020, .pong(2, id: nil)), Step(101_050, .pong(2, id: nil)),
        Step(110_000, .ended(1, .timeout, code: nil)),
      ]
    let actions = play(&machine, steps, through: 115_000)
    #expect(
      actions == [
        Done(30_000, .ping(1)), Done(40_000, .close(1)), Done(71_000, .ping(2)), Done(101_030, .ping(2)),
      ])
  }

  @Test func `B10 The clock counts sleep, or a dead link is believed`() {
    let before: Steps = Self.open(1)
    var continuous = Heartbeat(interval: 30_000, timeout: 10_000)
    _ = play(&continuous, before, through: 30_500)
    var actions: Actions = []
    continuous.handle(.foreground, at: 630_500) { actions.append(Done(630_500, $0)) }
    continuous.advance(from: 630_500, through: 700_000) { actions.append(Done($0, $1)) }
    #expect(actions == [Done(630_500, .close(1))])
    var suspending = Heartbeat(interval: 30_000, timeout: 10_000)
    let late = play(&suspending, before + [Step(30_500, .foreground)], through: 50_000)
    #expect(late.last == Done(40_000, .close(1)))
  }

  @Test func `B12 The app returns from the background`() {
    let a: Steps =
      Self.open(1) + [
        Step(30_050, .pong(1, id: nil)), Step(31_000, .background), Step(400_000, .foreground),
      ]
    var answered = Heartbeat(interval: 30_000, timeout: 10_000)
    #expect(
      play(&answered, a, through: 409_999) == [Done(30_000, .ping(1)), Done(400_000, .ping(1))])
    #expect(answered.wakeup == 410_000)
    let b: Steps =
      Self.open(1) + [
        Step(30_500, .background), Step(400_000, .foreground), Step(400_001, .pong(1, id: nil)),
      ]
    var awaiting = Heartbeat(interval: 30_000, timeout: 10_000)
    #expect(
      play(&awaiting, b, through: 500_000) == [Done(30_000, .ping(1)), Done(400_000, .close(1))])
    #expect(awaiting.cause == .staleOnResume)
    var twice = Heartbeat(interval: 30_000, timeout: 10_000)
    #expect(
      play(&twice, a + [Step(400_005, .foreground)], through: 409_999)
        == [Done(30_000, .ping(1)), Done(400_000, .ping(1))])
  }

  @Test mutating func `B14 Unsolicited pongs give no credit`() {
    let flood = (5_000...5_100).map { Step($0, Heartbeat.Event.pong(1, id: 0)) }
    let bare = (5_000...5_100).map { Step($0, Heartbeat.Event.pong(1, id: nil)) }
    let actions = play(&machine, Self.open(1) + flood + bare, through: 100_000)
    #expect(actions == [Done(30_000, .ping(1)), Done(40_000, .close(1))])
  }

  @Test mutating func `B16 The peer pings while a pong is awaited`() {
    let steps: Steps = Self.open(1) + [Step(32_000, .inbound(1)), Step(32_050, .pong(1, id: 1))]
    let actions = play(&machine, steps, through: 63_000)
    #expect(actions == [Done(30_000, .ping(1)), Done(62_050, .ping(1))])
  }
}
