internal import GoldwireMachines
internal import GoldwireTrace

/// Reads all WebSocket channels of a trace in one pass over its lines.
struct SocketReader {
  private let trace: Trace
  private let parameters: Heartbeat.Parameters
  private let hasBeats: Bool
  private var sockets: [RecordedSocket] = []
  private var indices: [Channel: Int] = [:]
  private var common: [RecordedSocket.Happening] = []
  /// The highest number of a connection, by channel; and whether a hole has put the channel out of step.
  private var highest: [Int] = []
  private var isLost: [Bool] = []

  /// The channels in order; `replayed` is the replay of the trace with the parameters in force.
  static func sockets(
    in trace: Trace, _ parameters: Heartbeat.Parameters, replayed: Replayed
  ) -> [RecordedSocket] {
    var reader = SocketReader(trace, parameters)
    let scan = TraceScan(trace.lines)
    for channel in replayed.channels { reader.add(channel) }
    for index in 0..<scan.count { reader.take(trace.lines[index], at: index) }
    for index in reader.sockets.indices {
      reader.sockets[index].happenings = reader.common
      reader.sockets[index].pauses = scan.pauses
    }
    reader.takeActions(replayed.actions)
    return reader.sockets
  }

  private init(_ trace: Trace, _ parameters: Heartbeat.Parameters) {
    self.trace = trace
    self.parameters = parameters
    hasBeats = trace.header.beats != nil
  }

  private mutating func add(_ channel: Channel) {
    indices[channel] = sockets.count
    sockets.append(RecordedSocket(channel, trace, parameters))
    highest.append(0)
    isLost.append(false)
  }

  // MARK: Lines

  private mutating func take(_ line: TraceLine, at index: Int) {
    guard let channel = line.channel else { return takeCommon(line, at: index) }
    guard let socket = indices[channel] else { return }
    let number = line.generation ?? 1
    switch line.event {
    case .wsAttach, .recGap: lose(socket, at: index)
    case .wsConnect:
      guard number > highest[socket] else { return }
      begin(socket, number, line.t, index)
    case .wsPing(.out, _, _) where !hasBeats: sent(socket, number, line.t, index)
    case .wsMessage(let message) where message.beat == .ping && message.dir == .out:
      sent(socket, number, line.t, index)
    default:
      guard !isLost[socket], let place = sockets[socket].index(of: number) else { return }
      take(line, index, sockets[socket].connections[place])
    }
  }

  private mutating func takeCommon(_ line: TraceLine, at index: Int) {
    switch line.event {
    case .appBackground: common.append(.init(t: line.t, event: .background, line: index))
    case .appForeground: common.append(.init(t: line.t, event: .foreground, line: index))
    case .appNetwork(let to):
      common.append(.init(t: line.t, event: .network(available: to != .none), line: index))
    case .recGap: for socket in sockets.indices { lose(socket, at: index) }
    default: break
    }
  }

  private mutating func begin(_ socket: Int, _ number: Int, _ t: Int, _ index: Int) {
    highest[socket] = number
    isLost[socket] = false
    sockets[socket].connections.append(
      RecordedConnection(number: number, connect: Double(t), connectLine: index))
  }

  /// What was known before a hole says nothing of what was heard in it.
  private mutating func lose(_ socket: Int, at index: Int) {
    isLost[socket] = true
    sockets[socket].hole = index
    sockets[socket].connections.removeAll()
  }

  private mutating func sent(_ socket: Int, _ number: Int, _ t: Int, _ index: Int) {
    if isLost[socket], number >= highest[socket] {
      begin(socket, number, t, index)
      let place = sockets[socket].connections.count - 1
      sockets[socket].connections[place].open = Double(t)
      sockets[socket].connections[place].openLine = index
      sockets[socket].connections[place].isResumed = true
    }
    guard !isLost[socket], let place = sockets[socket].index(of: number) else { return }
    sockets[socket].connections[place].pings.append(.init(sent: Double(t), due: t, line: index))
  }

  private func take(_ line: TraceLine, _ index: Int, _ connection: RecordedConnection) {
    let t = Double(line.t)
    switch line.event {
    case .wsOpen(let status, _):
      if let status, (100..<200).contains(status), status != 101 { return }
      guard connection.open == nil else { return }
      connection.open = t
      connection.openLine = index
    case .wsPing(let dir, _, _):
      if dir == .in { connection.arrivals.append(t) } else { connection.send(t, index) }
    case .wsPong(.in, let id, _) where !hasBeats: connection.answered(id, t, index)
    case .wsPong(let dir, _, _):
      if dir == .in { connection.arrivals.append(t) } else { connection.send(t, index) }
    case .wsPinged(let id, .ok, _): connection.answered(id, t, index)
    case .wsMessage(let message):
      if message.beat == .pong, message.dir == .in {
        connection.answered(message.id, t, index)
      } else if message.dir == .out {
        connection.send(t, index)
      } else {
        connection.arrivals.append(t)
      }
    case .recLife(.in, .ack): connection.acknowledgements.append(.init(at: t, line: index))
    case .recLife(.in, .bytes): connection.arrivals.append(t)
    case .recLife(.out, .bytes): connection.send(t, index)
    default: break
    }
  }

  // MARK: The machine's own actions

  /// Ends and due instants are the machine's own, so that a cause means what it means everywhere.
  private mutating func takeActions(_ actions: [ReplayedAction]) {
    for action in actions {
      guard let channel = action.line.channel, let socket = indices[channel] else { continue }
      sockets[socket].actions.append(action)
    }
    for index in sockets.indices { sockets[index].takeActions() }
  }
}

extension RecordedConnection {
  fileprivate func send(_ t: Double, _ index: Int) {
    sends.append(t)
    sendLines.append(index)
  }

  fileprivate func answered(_ id: Int?, _ t: Double, _ index: Int) {
    let last = pings.count - 1
    // A trace that was written by hand may tell what came in alone.
    guard last >= 0 else { return strays.append(.init(at: t, id: id, line: index)) }
    guard pings[last].answered == nil else { return }
    guard id == nil || id == last + 1 || isResumed else { return }
    pings[last].answered = t
    pings[last].answerLine = index
  }
}

extension RecordedSocket {
  fileprivate func takeActions() {
    var pings: [Int: [ReplayedAction]] = [:]
    for action in actions {
      guard let place = index(of: action.line.generation ?? 1) else { continue }
      let t = Double(action.line.t)
      guard t >= connections[place].connect else { continue }
      switch action.line.action {
      case .ping: pings[place, default: []].append(action)
      case .close, .ended: takeEnd(action, place)
      default: break
      }
    }
    for (place, actions) in pings {
      if connections[place].pings.isEmpty { connections[place].takePings(actions) }
      // As many as were recorded: the machine sends them when it is told to, or when it wakes.
      guard actions.count == connections[place].pings.count else { continue }
      for (index, action) in actions.enumerated() {
        connections[place].pings[index].sent = Double(action.line.t)
        connections[place].pings[index].due = action.due
      }
    }
    for place in connections.indices { connections[place].forgetLateAnswers() }
    happenings.sort { ($0.t, $0.line) < ($1.t, $1.line) }
  }

  private func takeEnd(_ action: ReplayedAction, _ place: Int) {
    guard let cause = action.line.why.flatMap({ Heartbeat.Cause(rawValue: $0.description) }) else { return }
    connections[place].end = Double(action.line.t)
    connections[place].endDue = action.due
    connections[place].cause = cause
    connections[place].code = action.line.code
    connections[place].endLine = action.cause
    if cause == .userClosed, let line = action.cause {
      happenings.append(
        Happening(t: action.line.t, event: .userClose(action.line.generation ?? 1), line: line))
    }
  }
}

extension RecordedConnection {
  /// Takes the machine's own pings where the recording has none.
  ///
  /// At one instant lines come in their order, and then the timer.
  fileprivate func takePings(_ actions: [ReplayedAction]) {
    func order(_ action: ReplayedAction) -> (Double, Int) {
      (Double(action.line.t), action.timerSet == nil ? action.cause ?? .max : .max)
    }
    var stray = 0
    for (index, action) in actions.enumerated() {
      var ping = Ping(
        sent: Double(action.line.t), due: action.due, isOwnLine: false, line: action.cause ?? connectLine)
      let (from, until) = (
        order(action), index + 1 < actions.count ? order(actions[index + 1]) : (.infinity, 0)
      )
      while stray < strays.count, (strays[stray].at, strays[stray].line) < until {
        let pong = strays[stray]
        stray += 1
        guard ping.answered == nil, (pong.at, pong.line) > from, pong.id == nil || pong.id == index + 1 else {
          continue
        }
        (ping.answered, ping.answerLine) = (pong.at, pong.line)
      }
      pings.append(ping)
    }
  }

  /// An answer that came when the connection was over answered nothing.
  fileprivate func forgetLateAnswers() {
    guard let end, let last = pings.indices.last, let answered = pings[last].answered else { return }
    let isOwn = cause.map { !$0.isFromOutside } ?? false
    guard isOwn ? answered >= end : answered > end else { return }
    pings[last].answered = nil
    pings[last].answerLine = nil
  }
}
