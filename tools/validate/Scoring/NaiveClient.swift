internal import GoldwireMachines
internal import GoldwireReplay
internal import GoldwireTrace

/// A client with other parameters in a world that is guessed without inference: what a prediction must be better than.
///
/// Resets and closes from outside keep their instants; the client connects again after the usual delay.
struct NaiveClient {
  /// How the world answers.
  enum World {
    /// The k-th recorded reply of a connection answers its k-th ping, as late as it was.
    case ordinal
    /// Every reply, and every handshake, takes the least time that was recorded.
    case constant
  }

  private let world: World
  private let connections: [SocketSteps.Connection]
  private let horizon: Int
  private let delay: Int
  private let trip: Int
  private let handshake: Int
  private var machine: Heartbeat
  private let timeout: Int

  /// The client's steps.
  static func steps(
    of trace: Trace, _ old: MachineParameters, asked: MachineParameters, _ world: World
  ) throws -> [Step] {
    var client = NaiveClient(
      try SocketSteps.connections(of: trace, old, tick: .recorded), try asked.heartbeat(.us), world,
      horizon: trace.horizon)
    return client.run()
  }

  private init(
    _ connections: [SocketSteps.Connection], _ asked: Heartbeat.Parameters, _ world: World, horizon: Int
  ) {
    self.world = world
    self.connections = connections
    self.horizon = horizon
    machine = Heartbeat(asked)
    timeout = asked.timeout
    let delays = zip(connections, connections.dropFirst()).compactMap { before, after in
      before.end.map { after.connect - $0.t }
    }.sorted()
    delay = delays.isEmpty ? 0 : max(0, delays[delays.count / 2])
    let trips = connections.flatMap { $0.trips.map { $0.answered - $0.sent } }
    let opened = connections.compactMap { connection in connection.open.map { $0 - connection.connect } }
    handshake = opened.min() ?? 200_000
    trip = trips.min() ?? handshake / 2
  }

  private mutating func run() -> [Step] {
    var made: [SocketSteps.Connection] = []
    var instant: Int? = connections.first?.connect
    while let now = instant, now <= horizon, made.count < 10_000 {
      let number = made.count + 1
      let known = world == .ordinal ? (number <= connections.count ? connections[number - 1] : nil) : nil
      if world == .ordinal, known == nil { break }
      var connection = SocketSteps.Connection(number: number, connect: now)
      live(&connection, known)
      made.append(connection)
      instant = connection.end.map { $0.t + delay }
    }
    return SocketSteps.steps(of: made, timeout: timeout)
  }

  /// Follows one connection to its end, or to the recording's.
  private mutating func live(_ connection: inout SocketSteps.Connection, _ known: SocketSteps.Connection?) {
    let now = connection.connect
    _ = machine.connect(as: connection.number, now: now)
    if let known, known.open == nil {
      let length = (known.end?.t ?? horizon) - known.connect
      if now + length <= horizon, let cause = known.end?.cause { connection.end = (now + length, cause) }
      _ = machine.ended(connection.number, cause: .error)
      return
    }
    let open = now + (known.flatMap { known in known.open.map { $0 - known.connect } } ?? handshake)
    guard open <= horizon else { return }
    connection.open = open
    machine.opened(connection.number, now: open)
    let kill = kills(known).first { $0.t > open }
    var answer: Int?
    while true {
      let wake = machine.wakeup ?? .max
      let next = min(wake, answer ?? .max, kill?.t ?? .max)
      guard next <= horizon else { return }
      if next == kill?.t, let kill {
        connection.end = kill
        _ = machine.ended(connection.number, cause: .reset)
        return
      }
      if next == answer {
        answer = nil
        machine.pong(connection.number, now: next)
        if !machine.isAwaitingPong { connection.pongs.append(next) }
        continue
      }
      switch machine.tick(now: next) {
      case .ping:
        connection.pings.append(next)
        answer = reply(to: connection.pings.count, at: next, known)
      case .close, .ended:
        connection.end = (next, machine.cause?.rawValue ?? "")
        return
      case nil: return
      }
    }
  }

  private func reply(to ordinal: Int, at sent: Int, _ known: SocketSteps.Connection?) -> Int? {
    guard world == .ordinal, let known else { return sent + trip }
    guard ordinal <= known.pings.count else { return known.end == nil ? sent + trip : nil }
    return known.trips.first { $0.sent == known.pings[ordinal - 1] }.map { sent + $0.answered - $0.sent }
  }

  /// What ended connections from outside.
  private func kills(_ known: SocketSteps.Connection?) -> [(t: Int, cause: String)] {
    let own: Set<String> = ["pongTimeout", "connectTimeout", "staleOnResume", "userClosed", "refused"]
    let candidates = world == .ordinal ? [known].compactMap(\.self) : connections.filter { $0.open != nil }
    return candidates.compactMap(\.end).filter { !own.contains($0.cause) }.sorted { $0.t < $1.t }
  }
}

extension SocketSteps.Connection {
  /// The pings that were answered.
  fileprivate var trips: [(sent: Int, answered: Int)] {
    pings.enumerated().compactMap { index, sent in
      let next = min(index + 1 < pings.count ? pings[index + 1] : .max, end?.t ?? .max)
      return pongs.first { $0 >= sent && $0 < next }.map { (sent, $0) }
    }
  }
}
