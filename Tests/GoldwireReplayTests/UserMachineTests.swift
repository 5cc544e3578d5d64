import GoldwireMachines
import GoldwireReplay
import GoldwireTrace
import Testing

/// A machine of a user's own: it says when a connection has been silent for a while.
private struct Watchdog: Machine {
  enum Event { case opened, heard, closed }
  enum Action: Equatable { case bark }

  let patience: Int
  private(set) var wakeup: Int?

  init(patience: Int) { self.patience = patience }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    wakeup = event == .closed ? nil : now + patience
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard let due = wakeup, now >= due else { return }
    wakeup = nil
    emit(.bark)
  }
}

/// What makes it replayable.
private struct WatchdogAdapter: ReplayAdapter {
  let family = Channel.Family.ws

  func makeMachine() -> Watchdog { Watchdog(patience: 500) }

  func read(_ line: TraceLine, at index: Int, memory: inout NoMemory) -> Reading<Watchdog.Event> {
    switch line.event {
    case .wsOpen: .begin(.opened)
    case .wsMessage(let message) where message.dir == .in: .input(.heard)
    case .wsEnd: .input(.closed)
    default: .note
    }
  }

  func line(for action: Watchdog.Action, of machine: Watchdog, memory: NoMemory) -> GoldenLine {
    GoldenLine("bark")
  }
}

/// A machine that asks to be woken for ever.
private struct Runaway: Machine {
  enum Event { case go }
  enum Action: Equatable { case none }
  private(set) var wakeup: Int?
  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) { wakeup = now }
  mutating func tick(at now: Int, emit: (Action) -> Void) {}
}

private struct RunawayAdapter: ReplayAdapter {
  let family = Channel.Family.ws
  func makeMachine() -> Runaway { Runaway() }
  func read(_ line: TraceLine, at index: Int, memory: inout NoMemory) -> Reading<Runaway.Event> {
    .begin(.go)
  }
  func line(for action: Runaway.Action, of machine: Runaway, memory: NoMemory) -> GoldenLine {
    GoldenLine("none")
  }
}

@Suite("A user's own machine") struct UserMachineTests {
  static let written = Written(
    "0 ws1#1 ws.connect", "10 ws1#1 ws.open", "400 ws1#1 ws.message dir=in kind=text bytes=1",
    "950 ws1#1 ws.message dir=in kind=text bytes=1", "1000 ws1#1 ws.end cause=fin dir=in",
    "1200 ws1#2 ws.open", "1700 rec.end why=written")

  @Test func itReplaysAsTheBuiltInOnesDo() throws {
    let trace = try Self.written.trace()
    let replayed = Replayer.replay(
      WatchdogAdapter(), trace.lines, unit: .ms, options: ReplayOptions(tick: .exact))
    #expect(replayed.short == ["900 ws1#1 bark", "1700 ws1#2 bark"])
    #expect(replayed.actions[0].cause == 2)
    #expect(replayed.actions[0].timerSet == 400)
  }

  @Test func itsActionsMakeAGoldenOfTheSameForm() throws {
    let trace = try Self.written.trace()
    let replayed = Replayer.replay(
      WatchdogAdapter(), trace.lines, unit: .ms, options: ReplayOptions(tick: .exact))
    let golden = Golden(
      header: GoldenHeader(
        trace: "a.jsonl", machine: "watchdog", parameters: .literal([:]), tick: .exact, unit: .ms),
      lines: replayed.lines)
    #expect(try Golden(bytes: golden.bytes()) == golden)
    #expect(Comparison(want: golden.lines, got: replayed.lines).verdict == .same)
  }

  @Test func oneThatAsksToBeWokenWithoutEndIsStopped() throws {
    let trace = try Self.written.trace()
    let replayed = Replayer.replay(
      RunawayAdapter(), trace.lines, unit: .ms, options: ReplayOptions(tick: .exact))
    #expect(replayed.runaway == Channel(.ws, 1))
  }
}
