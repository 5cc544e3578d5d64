internal import GoldwireMachines
public import GoldwireReplay
public import GoldwireTrace

/// What befalls an event stream.
public enum StreamFault: String, CaseIterable, Sendable {
  /// It is cut, and there again at once.
  case cuts
  /// After a cut requests fail for a while.
  case outages
  /// The server says nothing for a while.
  case silences
}

/// A reader of an event stream, on the product's own machine, in virtual time.
///
/// The server keeps its events, and sends again what follows the cursor.
public struct SimulatedStream: Sendable {
  /// What its tap saw.
  public let tap: Trace

  /// Runs a reader against a server that is drawn from a seed.
  ///
  /// Throws where a parameter makes no sense.
  public init(_ fault: StreamFault, seed: Int, _ parameters: MachineParameters) throws {
    var run = StreamRun(StreamScript(fault, seed), try parameters.stream(.us))
    run.run()
    let header = TraceHeader(
      tool: "goldwire simulator", source: .tap, unit: .us, clock: .continuous, at: .client,
      inForce: ParameterTable([.stream: parameters.values]), inForceBy: .driver)
    tap = Trace(
      header: header,
      lines: run.lines + [TraceLine(t: StreamScript.horizon, event: .recEnd(why: .stopped, counts: nil))])
  }
}

/// What the server of a stream does, whoever reads.
private struct StreamScript {
  static let horizon = 300_000_000

  /// When each event is there; its place is its id, from 1.
  var events: [Int] = []
  var cuts: [Int] = []
  /// When requests fail.
  var outages: [Range<Int>] = []

  init(_ fault: StreamFault, _ seed: Int) {
    let index = StreamFault.allCases.firstIndex(of: fault) ?? 0
    var dice = Dice(UInt64(seed) &* 15_485_863 &+ UInt64(index) &* 6_101 &+ 3)
    var silences: [Range<Int>] = []
    var t = 0
    for _ in 0..<3 {
      t += dice.within(20_000_000, 70_000_000)
      switch fault {
      case .cuts: cuts.append(t)
      case .outages:
        cuts.append(t)
        outages.append(t..<t + dice.within(500_000, 15_000_000))
      case .silences: silences.append(t..<t + dice.within(3_000_000, 40_000_000))
      }
      t = max(t, silences.last?.upperBound ?? t, outages.last?.upperBound ?? t)
    }
    var instant = 500_000
    while instant < Self.horizon {
      if !silences.contains(where: { $0.contains(instant) }) { events.append(instant) }
      instant += dice.within(300_000, 2_500_000)
    }
  }
}

private struct StreamRun {
  private static let way = 20_000

  private(set) var lines: [TraceLine] = []
  private let script: StreamScript
  private var machine: EventStream
  private var now = 0
  private var generation = 0
  /// The events of this connection, and the next one's place in the log.
  private var count = 0
  private var next = 0

  init(_ script: StreamScript, _ parameters: EventStream.Parameters) {
    self.script = script
    machine = EventStream(parameters)
  }

  private mutating func write(_ event: TraceEvent) {
    lines.append(TraceLine(t: now, channel: Channel(.sse, 1), generation: generation, event: event))
  }

  mutating func run() {
    generation = 1
    machine.handle(.connect(1, cursor: 0), at: 0) { _ in }
    while now <= StreamScript.horizon {
      write(.sseConnect(cursor: machine.committed == 0 ? nil : machine.committed))
      read()
      guard machine.phase == .waiting, let due = machine.wakeup, due <= StreamScript.horizon else { return }
      now = max(now, due)
      generation += 1
      machine.tick(at: now) { _ in }
    }
  }

  /// Reads one connection to its end.
  private mutating func read() {
    let asked = now
    let arrives = asked + Self.way
    now = asked + 2 * Self.way
    guard now <= StreamScript.horizon else { return }
    guard !script.outages.contains(where: { $0.contains(arrives) }) else { return cut(.error) }
    write(.sseOpen(status: 200, type: .eventStream, retry: RetryFields()))
    machine.handle(.answered(generation, Answer(status: 200), isEventStream: true), at: now) { _ in }
    (count, next) = (0, machine.committed)
    let end = script.cuts.first { $0 > arrives }.map { $0 + Self.way }
    while machine.phase == .open {
      let event = next < script.events.count ? max(script.events[next] + Self.way, now) : .max
      let wake = machine.wakeup ?? .max
      let instant = min(event, wake, end ?? .max)
      guard instant <= StreamScript.horizon else { return now = StreamScript.horizon + 1 }
      now = instant
      if instant == end { return cut(.reset) }
      if instant == event {
        deliver()
      } else {
        machine.tick(at: now) { _ in }
        write(.sseCut(cause: .local, dir: .out, partial: 0))
      }
    }
  }

  private mutating func cut(_ cause: CutCause) {
    write(.sseCut(cause: cause, dir: .in, partial: 0))
    machine.handle(.cut(generation), at: now) { _ in }
  }

  /// An event comes, and its handler succeeds at once.
  private mutating func deliver() {
    count += 1
    next += 1
    write(.sseEvent(n: count, id: next, rev: 1, bytes: 20))
    machine.handle(.event(generation, .init(n: count, id: next)), at: now) { _ in }
    write(.sseHandled(n: count, ok: true))
    let before = machine.committed
    machine.handle(.handled(generation, n: count, succeeded: true), at: now) { _ in }
    if machine.committed != before { write(.sseCommit(cursor: machine.committed)) }
  }
}
