public import GoldwireMachines
public import GoldwireTrace

/// Replays the WebSocket channels of a trace into a heartbeat.
public struct HeartbeatAdapter: ReplayAdapter {
  /// What is remembered of a channel.
  public struct Memory: Equatable, Sendable {
    /// The connection that began last; the number never goes back.
    var generation = 0
    /// Whether a close frame has been seen on it.
    var isClosing = false
  }

  /// WebSocket channels.
  public let family: Channel.Family = .ws
  private let parameters: Heartbeat.Parameters
  private let anyInboundIsLife: Bool
  private let pingsAreMessages: Bool
  private let seesPings: Bool
  private let seesCloses: Bool

  /// Makes an adapter for the traces with this header.
  public init(_ parameters: Heartbeat.Parameters, header: TraceHeader) {
    self.parameters = parameters
    anyInboundIsLife = parameters.policy == .anyInboundIsLife
    pingsAreMessages = header.beats != nil
    seesPings = header.beats != nil || !header.blind.contains(.wsPing)
    seesCloses = !header.blind.contains(.wsClose) && !header.blind.contains(.wsEnd)
  }

  /// Makes a machine that has seen nothing.
  public func makeMachine() -> Heartbeat { Heartbeat(parameters) }

  /// Makes a memory of nothing.
  public func makeMemory() -> Memory { Memory() }

  /// Says what a line means.
  public func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Heartbeat.Event> {
    let generation = line.generation ?? 1
    switch line.event {
    case .wsConnect:
      guard generation > memory.generation else { return .note }
      memory = Memory(generation: generation)
      return .begin(.connect(generation))
    case .wsAttach:
      know(generation, &memory)
      return .note
    case .wsOpen(let status, _):
      if let status, (100..<200).contains(status), status != 101 { return .note }
      return .input(.opened(generation))
    case .wsRefused: return .input(.ended(generation, .refused, code: nil))
    case .wsPing(let dir, _, _):
      return pingsAreMessages ? life(generation, dir) : ping(generation, dir, &memory)
    case .wsPong(let dir, let id, _):
      return pingsAreMessages ? life(generation, dir) : pong(generation, dir, id)
    case .wsPinged(let id, let result, _):
      return .input(.pinged(generation, id: id, Heartbeat.PingResult(result)))
    case .wsMessage(let message):
      switch message.beat {
      case .ping: return ping(generation, message.dir, &memory)
      case .pong: return pong(generation, message.dir, message.id)
      case nil: return life(generation, message.dir)
      }
    // An acknowledgement is the kernel's: no client hears of it.
    case .recLife(let dir, let kind): return kind == .bytes ? life(generation, dir) : .note
    case .wsClose, .wsEnd: return end(line.event, generation, &memory)
    case .appBackground: return .input(.background)
    case .appForeground: return .input(.foreground)
    case .appNetwork(let to): return .input(.network(available: to != .none))
    default: return .note
    }
  }

  /// Translates an action; its cause is read beside it.
  public func line(for action: Heartbeat.Action, of machine: Heartbeat, memory: Memory) -> GoldenLine {
    switch action {
    case .ping(let generation): GoldenLine(.ping, generation: generation)
    case .close(let generation):
      GoldenLine(.close, generation: generation, why: machine.cause.flatMap { ActionWord($0.rawValue) })
    case .ended(let generation):
      GoldenLine(
        .ended, generation: generation, why: machine.cause.flatMap { ActionWord($0.rawValue) },
        code: machine.code)
    }
  }

  /// A recorded ping brings the machine in step: open, with that ping due now.
  ///
  /// One of an older connection does not.
  public func resume(at line: TraceLine, memory: Memory) -> Heartbeat.Event? {
    let generation = line.generation ?? 1
    guard generation >= memory.generation else { return nil }
    switch line.event {
    case .wsPing(.out, let id, _) where !pingsAreMessages: return .resume(generation, pingID: id)
    case .wsMessage(let message) where message.beat == .ping && message.dir == .out:
      return .resume(generation, pingID: message.id)
    default: return nil
    }
  }

  /// A close is the machine's while a pong or the handshake is awaited; what is over is not judged.
  public func standing(of action: GoldenLine, with machine: Heartbeat) -> Standing {
    let isCurrent = action.generation == machine.generation
    guard action.action == .close else { return isCurrent ? .asked : .stray }
    guard isCurrent, machine.phase != .idle else { return .over }
    return machine.phase == .connecting || machine.isAwaitingPong ? .asked : .unasked
  }

  /// The connection that the machine is at.
  public func generation(of machine: Heartbeat) -> Int? { machine.generation }

  /// The app's state and the network can make it act at once.
  public func isPrompt(_ line: TraceLine) -> Bool {
    switch line.event {
    case .appBackground, .appForeground, .appNetwork: true
    default: false
    }
  }

  /// Without a connection nothing comes of the app's state.
  public func isAsleep(_ machine: Heartbeat) -> Bool { machine.phase == .idle }

  /// A fixed cadence may keep to its instants.
  public func keepsTime(_ action: GoldenLine) -> Bool { parameters.cadence == .fixed }

  /// Pings and closes are seen, unless the source is blind to them; ends are no actions of the client.
  public func isSeen(_ action: GoldenLine) -> Bool {
    switch action.action {
    case .ping: seesPings
    case .close: seesCloses && action.why != "userClosed"
    default: false
    }
  }
}

// MARK: - What lines mean

extension HeartbeatAdapter {
  private func ping(
    _ generation: Int, _ dir: Direction, _ memory: inout Memory
  ) -> Reading<Heartbeat.Event> {
    guard dir == .out else { return life(generation, dir) }
    know(generation, &memory)
    return .act(GoldenLine(.ping, generation: generation))
  }

  private func pong(_ generation: Int, _ dir: Direction, _ id: Int?) -> Reading<Heartbeat.Event> {
    dir == .in ? .input(.pong(generation, id: id)) : .note
  }

  /// A line of a connection that did not begin in the recording shows that it is there.
  private func know(_ generation: Int, _ memory: inout Memory) {
    if generation > memory.generation { memory = Memory(generation: generation) }
  }

  private func life(_ generation: Int, _ dir: Direction) -> Reading<Heartbeat.Event> {
    anyInboundIsLife && dir == .in ? .input(.inbound(generation)) : .note
  }

  private func end(
    _ event: TraceEvent, _ generation: Int, _ memory: inout Memory
  ) -> Reading<Heartbeat.Event> {
    let isCurrent = generation == memory.generation
    let wasClosing = isCurrent && memory.isClosing
    if isCurrent { memory.isClosing = true }
    switch event {
    case .wsClose(.in, let code, _):
      return .input(.ended(generation, .peerClosed, code: code))
    case .wsClose(.out, _, let by):
      if by == .machine { return .act(GoldenLine(.close, generation: generation)) }
      return by == .user || wasClosing ? .input(.userClose(generation)) : ownClose(generation)
    case .wsEnd(let cause, let dir):
      guard dir == .out else { return .input(.ended(generation, Heartbeat.Cause(cause), code: nil)) }
      // What follows the client's own close is its own too, and no end from outside.
      return ownClose(generation)
    default: return .note
    }
  }

  /// A close of the recorded client's that does not say on whose behalf.
  private func ownClose(_ generation: Int) -> Reading<Heartbeat.Event> {
    .act(GoldenLine(.close, generation: generation), or: .userClose(generation))
  }
}

extension Heartbeat.PingResult {
  fileprivate init(_ result: PingResult) {
    switch result {
    case .ok: self = .ok
    case .error: self = .error
    case .cancelled: self = .cancelled
    }
  }
}

extension Heartbeat.Cause {
  fileprivate init(_ cause: EndCause) {
    switch cause {
    case .fin: self = .fin
    case .reset: self = .reset
    case .error: self = .error
    case .timeout: self = .timeout
    }
  }
}
