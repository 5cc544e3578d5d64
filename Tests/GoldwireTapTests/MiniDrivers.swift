import GoldwireMachines
import GoldwireTap
import GoldwireTestSupport
import GoldwireTrace

/// Runs a heartbeat in virtual time against a peer, and tells a tap what it does, as a driver would.
struct MiniHeartbeat {
  let session: SocketTap
  private var machine: Heartbeat
  private var connection: SocketGeneration?
  private var ping: PingOrdinal?
  private var random: SeededGenerator
  /// The connection was closed by the machine.
  private(set) var isClosed = false

  init(_ parameters: Heartbeat.Parameters, _ session: SocketTap, seed: UInt64) {
    machine = Heartbeat(parameters)
    self.session = session
    random = SeededGenerator(seed: seed)
  }

  mutating func connect(at t: Int) {
    connection = session.connect(at: at(t))
    machine.handle(.connect(connection?.number ?? 0), at: t) { _ in }
    let opened = t + 30_000
    connection?.opened(at: at(opened))
    machine.handle(.opened(machine.generation), at: opened) { _ in }
    isClosed = false
  }

  /// Runs up to `end`: each ping is answered, unless `isAnswered` says not.
  mutating func run(until end: Int, messages: Int = 0, isAnswered: (Int) -> Bool = { _ in true }) {
    var actions: [Heartbeat.Action] = []
    while let wakeup = machine.wakeup, wakeup <= end {
      let now = wakeup + Int.random(in: 0..<3_000, using: &random)
      actions.removeAll()
      machine.tick(at: now) { actions.append($0) }
      connection?.tick(at: at(now))
      for action in actions {
        switch action {
        case .ping:
          ping = connection?.pingSent(bytes: 4, at: at(now))
          guard let ping, isAnswered(now) else { continue }
          let later = now + 40_000
          for count in 0..<messages { connection?.message(.in, .text, bytes: 90, at: at(now + count)) }
          connection?.pongReceived(ping, bytes: 4, at: at(later))
          machine.handle(.pong(machine.generation, id: ping.number), at: later) { _ in }
        case .close:
          connection?.closeSent(code: 1_001, by: .machine, at: at(now))
          isClosed = true
        case .ended: break
        }
      }
    }
  }
}

/// Runs an event stream in virtual time, and tells a tap what it does, as a driver would.
struct MiniReader {
  let tap: StreamTap
  private var machine: EventStream
  private var connection: StreamGeneration?
  private var n = 0
  private(set) var id = 0

  init(_ parameters: EventStream.Parameters, _ tap: StreamTap) {
    machine = EventStream(parameters)
    self.tap = tap
  }

  mutating func connect(at t: Int) {
    let cursor = machine.committed
    connection = tap.connect(cursor: cursor, at: at(t))
    machine.handle(.connect(connection?.number ?? 0, cursor: cursor), at: t) { _ in }
    open(at: t + 10)
  }

  private mutating func open(at t: Int) {
    let answer = Answer(status: 200)
    connection?.opened(answer, type: .eventStream, at: at(t))
    machine.handle(.answered(machine.generation, answer, isEventStream: true), at: t) { _ in }
    n = 0
  }

  mutating func retry(milliseconds: Int, at t: Int) {
    connection?.retry(milliseconds: milliseconds, at: at(t))
    machine.handle(.retry(machine.generation, milliseconds: milliseconds), at: t) { _ in }
  }

  /// Receives an event with the next id, or with none, and handles it.
  mutating func event(at t: Int, hasID: Bool = true, succeeds: Bool = true) {
    n += 1
    if hasID { id += 1 }
    let block = EventStream.Block(n: n, id: hasID ? id : nil)
    connection?.event(block, bytes: 20, at: at(t))
    var actions: [EventStream.Action] = []
    machine.handle(.event(machine.generation, block), at: t) { actions.append($0) }
    for case .deliver(let n) in actions {
      connection?.handled(n: n, succeeded: succeeds, at: at(t + 1))
      machine.handle(.handled(machine.generation, n: n, succeeded: succeeds), at: t + 1) { action in
        if case .commit(let cursor) = action { tap.commit(cursor: cursor, at: at(t + 1)) }
      }
    }
  }

  /// The connection breaks, and the machine's wait is run to its end and beyond, to the next open.
  mutating func cut(at t: Int) {
    connection?.cut(.reset, .in, at: at(t))
    machine.handle(.cut(machine.generation), at: t) { _ in }
    reconnect()
  }

  /// Runs the machine's wait to its end, and the request that follows.
  mutating func reconnect() {
    guard let wakeup = machine.wakeup else { return }
    machine.tick(at: wakeup) { _ in }
    connection = tap.connect(cursor: machine.committed, at: at(wakeup))
    open(at: wakeup + 10)
  }

  var wakeup: Int? { machine.wakeup }
}
