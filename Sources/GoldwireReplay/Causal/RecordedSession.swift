internal import GoldwireMachines
internal import GoldwireTrace

/// What a trace tells of one connection of a WebSocket channel; instants are in the trace's unit.
///
/// A double holds each instant of a trace exactly.
struct RecordedConnection {
  /// A ping that the recorded client sent.
  struct Ping {
    /// When it was sent.
    var sent: Double
    /// When the recorded client's machine wanted to send it.
    var due: Int
    /// When it was answered; nil where it was not.
    var answered: Double?
    /// The indices of both lines.
    var line: Int
    var answerLine: Int?
  }

  /// The connection's number in its channel.
  var number: Int
  /// When it was asked for.
  var connect: Double
  /// When the handshake had succeeded.
  var open: Double?
  /// When it ended.
  var end: Double?
  /// The one cause of its end, with the peer's close code.
  var cause: Heartbeat.Cause?
  var code: Int?
  var pings: [Ping] = []
  /// When the client sent messages, and when something else than a pong came in.
  var sends: [Double] = []
  var arrivals: [Double] = []
  /// The indices of the lines of the connect, the opening and the end.
  var connectLine: Int
  var openLine: Int?
  var endLine: Int?

  /// The pings that were answered.
  var answers: [(sent: Double, answered: Double)] {
    pings.compactMap { ping in ping.answered.map { (ping.sent, $0) } }
  }
}

/// What a trace tells of one WebSocket channel, as far as a model of its surroundings needs it.
struct RecordedSocket {
  /// The channel.
  let channel: Channel
  /// Its connections, in order.
  var connections: [RecordedConnection] = []
  /// The last instant of the recording.
  let horizon: Double
  /// A second in the trace's unit.
  let second: Double
  /// The parameters that were in force.
  let parameters: Heartbeat.Parameters
  /// The recorded client's actions.
  var actions: [ReplayedAction] = []
  /// What happened at its own instant whatever the client did: the app's state and the user's closes.
  var happenings: [Happening] = []
  /// Whether a hole of the recording, or an end of which nobody knows, makes the channel unfit for a model.
  var hasHole = false

  /// Something that is kept at its instant.
  struct Happening {
    var t: Int
    var event: Heartbeat.Event
    var line: Int
  }

  /// The connection of this number.
  func connection(_ number: Int) -> RecordedConnection? {
    guard let index = connections.firstIndex(where: { $0.number == number }) else { return nil }
    return connections[index]
  }

  /// The pauses between an end and the next connect, in order.
  var reconnectDelays: [Double] {
    zip(connections, connections.dropFirst()).compactMap { before, after in
      before.end.map { Swift.max(0, after.connect - $0) }
    }
  }
}

extension RecordedSocket {
  /// Reads one channel of a trace; `replayed` is the replay of the trace with the parameters in force.
  init(_ channel: Channel, in trace: Trace, _ parameters: Heartbeat.Parameters, replayed: Replayed) {
    self.channel = channel
    self.parameters = parameters
    horizon = Double(trace.horizon)
    second = trace.header.unit == .us ? 1_000_000 : 1_000
    actions = replayed.actions.filter { $0.line.channel == channel }
    let beats = trace.header.beats != nil
    for (index, line) in trace.lines.enumerated() {
      if line.channel == channel {
        take(line, at: index, beats: beats)
      } else if line.channel == nil {
        takeCommon(line, at: index)
      }
    }
    takeActions()
  }

  private mutating func takeCommon(_ line: TraceLine, at index: Int) {
    switch line.event {
    case .appBackground: happenings.append(Happening(t: line.t, event: .background, line: index))
    case .appForeground: happenings.append(Happening(t: line.t, event: .foreground, line: index))
    case .appNetwork(let to):
      happenings.append(Happening(t: line.t, event: .network(available: to != .none), line: index))
    case .recGap, .recPause: hasHole = true
    default: break
    }
  }

  private mutating func take(_ line: TraceLine, at index: Int, beats: Bool) {
    let number = line.generation ?? 1
    let t = Double(line.t)
    if case .wsConnect = line.event {
      guard number > (connections.last?.number ?? 0) else { return }
      connections.append(RecordedConnection(number: number, connect: t, connectLine: index))
      return
    }
    switch line.event {
    case .wsAttach, .recGap: hasHole = true
    default: break
    }
    guard let place = connections.lastIndex(where: { $0.number == number }) else { return }
    switch line.event {
    case .wsOpen(let status, _):
      if let status, (100..<200).contains(status), status != 101 { return }
      guard connections[place].open == nil else { return }
      connections[place].open = t
      connections[place].openLine = index
    case .wsPing(let dir, _, _):
      if dir == .in { connections[place].arrivals.append(t) }
      else if beats { connections[place].sends.append(t) }
      else { sent(place, t, index) }
    case .wsPong(let dir, let id, _):
      if dir == .out { connections[place].sends.append(t) }
      else if beats { connections[place].arrivals.append(t) }
      else { answered(place, id, t, index) }
    case .wsPinged(let id, .ok, _): answered(place, id, t, index)
    case .wsMessage(let message):
      switch (message.beat, message.dir) {
      case (.ping, .out): sent(place, t, index)
      case (.pong, .in): answered(place, message.id, t, index)
      case (_, .out): connections[place].sends.append(t)
      case (_, .in): connections[place].arrivals.append(t)
      }
    default: break
    }
  }

  private mutating func sent(_ place: Int, _ t: Double, _ index: Int) {
    connections[place].pings.append(.init(sent: t, due: Int(t), line: index))
  }

  private mutating func answered(_ place: Int, _ id: Int?, _ t: Double, _ index: Int) {
    let last = connections[place].pings.count - 1
    guard last >= 0, connections[place].pings[last].answered == nil else { return }
    guard id == nil || id == last + 1 else { return }
    connections[place].pings[last].answered = t
    connections[place].pings[last].answerLine = index
  }

  /// Ends and due instants are the machine's own, so that a cause means what it means everywhere.
  private mutating func takeActions() {
    for action in actions {
      guard let place = connections.lastIndex(where: { $0.number == action.line.generation }) else { continue }
      switch action.line.action {
      case .ping:
        let at = Double(action.line.t)
        guard let ping = connections[place].pings.firstIndex(where: { $0.sent == at }) else { continue }
        connections[place].pings[ping].due = action.due
      case .close, .ended:
        guard let cause = action.line.why.flatMap({ Heartbeat.Cause(rawValue: $0.description) }) else { continue }
        connections[place].end = Double(action.line.t)
        connections[place].cause = cause
        connections[place].code = action.line.code
        connections[place].endLine = action.cause
        if cause == .userClosed, let line = action.cause {
          happenings.append(Happening(t: action.line.t, event: .userClose(action.line.generation ?? 1), line: line))
        }
      default: break
      }
    }
    happenings.sort { $0.line < $1.line }
  }
}
