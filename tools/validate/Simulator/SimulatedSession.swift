internal import GoldwireMachines
public import GoldwireReplay
public import GoldwireTrace

/// A client with a heartbeat, a path, something between, and a server, under a script of faults, in virtual time.
///
/// The client is the product's own machine, connecting again 2 s after an end. Equal scripts, parameters and
/// weathers give equal traces.
public struct SimulatedSession: Sendable {
  /// What the client's tap saw.
  public let tap: Trace
  /// What a capture beside it saw.
  public let capture: Trace

  /// Runs a session to the script's horizon.
  ///
  /// Throws where a parameter makes no sense.
  public init(_ script: FaultScript, _ parameters: MachineParameters, weather: Int) throws {
    var run = SessionRun(script, try parameters.heartbeat(.us), weather: UInt64(bitPattern: Int64(weather)))
    run.run()
    (tap, capture) = run.tape.traces(parameters, horizon: script.horizon)
  }
}

/// A session that runs.
struct SessionRun {
  /// What is sent.
  enum Payload {
    case request, switched, ping, pong, message, question, answer
    case close(Int)
  }

  /// What a packet holds.
  enum Packet {
    case syn, synAnswer, refusal, reset
    case data(Int)
    case acknowledgement(Int)
  }

  /// How a connection ends from outside.
  enum Fate {
    case reset, fin, refused
    case closed(Int)
  }

  enum Event {
    case connect
    case syn(Int, pause: Int)
    case arrival(Int, isUp: Bool, Packet)
    case retransmission(Int, isUp: Bool, stamp: Int)
    case probe(Int, isUp: Bool, stamp: Int)
    case wake(Int)
    case told(Int, Fate)
    case served(Int, Payload)
    case forgotten(Int, since: Int)
    case send(Payload)
    case push
    case reset
    case restart(Int)
  }

  /// One connection, both ends of it.
  struct Connection {
    var up: SendingSide<Payload>
    var down: SendingSide<Payload>
    var atServer = ReceivingSide()
    var atClient = ReceivingSide()
    var isOpen = false
    var isClientAlive = true
    /// nil before the first SYN came.
    var isServerAlive: Bool?
    var isForgotten = false
    /// When something passed what lies between.
    var lastPassed: Int?
    var lastPing: Int?
    var hasAsked = false
  }

  /// The client connects again so long after an end.
  static let pause = 2_000_000

  let script: FaultScript
  let weather: Weather
  var agenda = Agenda<Event>()
  var tape = Tape()
  var machine: Heartbeat
  var connections: [Connection] = []
  /// When the last packet arrives, each way: none overtakes another.
  var lastArrival = (up: 0, down: 0)

  init(_ script: FaultScript, _ parameters: Heartbeat.Parameters, weather dice: UInt64) {
    self.script = script
    weather = Weather(dice)
    machine = Heartbeat(parameters)
  }

  mutating func run() {
    for t in script.sends { agenda.plan(.send(.message), at: t) }
    for t in script.exchanges { agenda.plan(.send(.question), at: t) }
    for t in script.pushes { agenda.plan(.push, at: t) }
    for t in script.resets { agenda.plan(.reset, at: t) }
    for (index, restart) in script.restarts.enumerated() {
      agenda.plan(.restart(index), at: restart.span.lowerBound)
    }
    agenda.plan(.connect, at: 0)
    while let next = agenda.next, next <= script.horizon, let (now, event) = agenda.take() {
      happen(event, now)
    }
  }

  private mutating func happen(_ event: Event, _ now: Int) {
    switch event {
    case .connect: connect(now)
    case .syn(let index, let pause): syn(index, pause, now)
    case .arrival(let index, true, let packet): reachServer(index, packet, now)
    case .arrival(let index, false, let packet): reachClient(index, packet, now)
    case .retransmission(let index, let isUp, let stamp):
      guard isAlive(index, isUp) else { return }
      let places =
        isUp
        ? connections[index].up.expire(stamp, at: now) : connections[index].down.expire(stamp, at: now)
      // A timer that is void must not set another one.
      if !places.isEmpty { transmit(index, isUp, places, now) }
    case .probe(let index, let isUp, let stamp):
      guard isAlive(index, isUp) else { return }
      let places =
        isUp ? connections[index].up.probe(stamp, at: now) : connections[index].down.probe(stamp, at: now)
      for place in places { put(index, isUp, .data(place), now) }
    case .wake(let index): wake(index, now)
    case .told(let index, let fate): told(index, fate, now)
    case .served(let index, let payload): served(index, payload, now)
    case .forgotten(let index, let since): forgotten(index, since, now)
    case .send(let payload): clientSends(payload, now)
    case .push: push(now)
    case .reset:
      if let last = connections.indices.last, connections[last].isServerAlive == true {
        kill(last, .reset, now)
      }
    case .restart(let index): restart(script.restarts[index].kind, now)
    }
  }

  private func isAlive(_ index: Int, _ isUp: Bool) -> Bool {
    isUp ? connections[index].isClientAlive : connections[index].isServerAlive == true
  }

  // MARK: Sending

  /// Hands a message to the connection's sender.
  mutating func send(_ index: Int, isUp: Bool, _ payload: Payload, _ now: Int) {
    let places =
      isUp
      ? connections[index].up.send(payload, at: now) : connections[index].down.send(payload, at: now)
    guard !places.isEmpty else { return }
    transmit(index, isUp, places, now)
  }

  /// Sends segments, and sets the timer for them.
  mutating func transmit(_ index: Int, _ isUp: Bool, _ places: [Int], _ now: Int) {
    for place in places {
      if isUp {
        let segment = connections[index].up.segments[place]
        if !segment.isRepeated { tape.captureSent(segment.payload, index + 1, now) }
      }
      put(index, isUp, .data(place), now)
    }
    arm(index, isUp, now)
  }

  mutating func arm(_ index: Int, _ isUp: Bool, _ now: Int) {
    let timer = isUp ? connections[index].up.timer(at: now) : connections[index].down.timer(at: now)
    guard let timer else { return }
    agenda.plan(.retransmission(index, isUp: isUp, stamp: timer.stamp), at: timer.retransmission)
    if let probe = timer.probe { agenda.plan(.probe(index, isUp: isUp, stamp: timer.stamp), at: probe) }
  }
}
