internal import GoldwireMachines
public import GoldwireReplay
public import GoldwireTrace

/// What a recorded WebSocket session was, read from its trace: by sessions, so that one more failed connect shifts nothing.
///
/// The trace's unit must be the microsecond; it has one WebSocket channel.
public enum SocketSteps {
  /// The steps of a trace, with the parameters that were in force or with others: the recorded replies at their instants.
  ///
  /// With others it is what a verbatim replay shows. Throws where a parameter makes no sense.
  public static func steps(
    of trace: Trace, _ parameters: MachineParameters, tick: TickMode = .recorded
  ) throws -> [Step] {
    steps(
      of: try connections(of: trace, parameters, tick: tick),
      timeout: try parameters.heartbeat(trace.header.unit).timeout)
  }

  /// The connections of a trace, as a replay with the parameters has them.
  static func connections(
    of trace: Trace, _ parameters: MachineParameters, tick: TickMode
  ) throws -> [Connection] {
    var connections: [Connection] = []
    for line in trace.lines where line.channel?.family == .ws {
      switch line.event {
      case .wsConnect: connections.append(Connection(number: line.generation ?? 1, connect: line.t))
      case .wsOpen:
        if let last = connections.indices.last, connections[last].open == nil {
          connections[last].open = line.t
        }
      case .wsPong(.in, _, _):
        if let last = connections.indices.last { connections[last].pongs.append(line.t) }
      default: break
      }
    }
    let (replayed, _) = try TraceReplay.replay(trace, parameters, options: ReplayOptions(tick: tick))
    for action in replayed.actions.map(\.line) {
      guard let place = connections.firstIndex(where: { $0.number == action.generation }) else { continue }
      switch action.action {
      case .ping: connections[place].pings.append(action.t)
      case .close, .ended: connections[place].end = (action.t, action.why?.description ?? "")
      default: break
      }
    }
    return connections
  }

  /// A connection as it was.
  struct Connection {
    var number: Int
    var connect: Int
    var open: Int?
    var pings: [Int] = []
    var pongs: [Int] = []
    var end: (t: Int, cause: String)?
  }

  /// Numbers sessions in place of connections.
  static func steps(of connections: [Connection], timeout: Int) -> [Step] {
    var steps: [Step] = []
    var (session, attempt) = (1, 0)
    for connection in connections {
      attempt += 1
      steps.append(Step(.init(.connect, session: session, ordinal: attempt), t: connection.connect))
      guard let open = connection.open, connection.end.map({ open <= $0.t }) ?? true else {
        guard let end = connection.end else { continue }
        steps.append(
          Step(.init(.end, session: session, ordinal: attempt, hasFailed: true), t: end.t, cause: end.cause))
        continue
      }
      steps.append(Step(.init(.open, session: session), t: open))
      for (index, sent) in connection.pings.enumerated() {
        steps.append(Step(.init(.ping, session: session, ordinal: index + 1), t: sent))
        let next = index + 1 < connection.pings.count ? connection.pings[index + 1] : .max
        let over = min(next, sent + timeout, connection.end?.t ?? .max)
        guard let pong = connection.pongs.first(where: { $0 >= sent && $0 < over }) else { continue }
        steps.append(Step(.init(.answer, session: session, ordinal: index + 1), t: pong))
      }
      guard let end = connection.end else { continue }
      steps.append(Step(.init(.end, session: session), t: end.t, cause: end.cause))
      (session, attempt) = (session + 1, 0)
    }
    return steps
  }
}
