import GoldwireMachines
import Testing

/// A machine of a user's own: hangs up a call that is not answered in time.
struct Ringing: Machine {
  enum Event: Sendable { case rings, answered }
  enum Action: Equatable, Sendable { case hangUp }

  private(set) var wakeup: Int?

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    switch event {
    case .rings: wakeup = now + 30
    case .answered: wakeup = nil
    }
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard let due = wakeup, now >= due else { return }
    wakeup = nil
    emit(.hangUp)
  }
}

/// Says that it can act, and never does.
struct Stuck: Machine {
  var wakeup: Int? { 5 }
  private(set) var ticks = 0

  mutating func handle(_ event: Int, at now: Int, emit: (Int) -> Void) {}
  mutating func tick(at now: Int, emit: (Int) -> Void) { ticks += 1 }
}

@Suite struct MachineTests {
  @Test func `A machine of one's own is driven like the others`() {
    var ringing = Ringing()
    #expect(play(&ringing, [Step(10, .rings)], through: 39) == [])
    #expect(play(&ringing, [], through: 40) == [Done(40, .hangUp)])
    #expect(play(&ringing, [Step(50, .rings), Step(80, .answered)], through: 100) == [])
  }

  @Test func `Late wake-ups act at the instant they are run at, and not after the end`() {
    var heartbeat = Heartbeat(interval: 10, timeout: 5)
    heartbeat.opened(heartbeat.connect(), now: 0)
    var actions: [Done<Heartbeat.Action>] = []
    heartbeat.advance(from: 12, through: 16) { actions.append(Done($0, $1)) }
    #expect(actions == [Done(12, .ping(1))])
    heartbeat.advance(from: 16, through: 17) { actions.append(Done($0, $1)) }
    #expect(actions.last == Done(17, .close(1)))
  }

  @Test func `A machine that does not move its wake-up cannot hang the driver`() {
    var stuck = Stuck()
    stuck.advance(from: 0, through: 100) { _, _ in }
    #expect(stuck.ticks == 1)
  }
}
