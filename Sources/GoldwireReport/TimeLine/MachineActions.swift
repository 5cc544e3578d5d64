package import GoldwireReplay
package import GoldwireTrace

/// A machine's actions on their way into a time line, in order of time.
package struct MachineActions {
  /// The most actions of one channel at one instant that a recorded line is looked for among.
  package static let reach = 1_000

  private let actions: [GoldenLine]
  private var isTaken: [Bool]
  private var next = 0
  /// The indices of each channel's actions, and how many of them are over.
  private var queues: [Channel: (indices: [Int], over: Int)] = [:]

  /// Makes a queue of the actions of a replay that lie in the window.
  package init(_ actions: [ReplayedAction], in window: Window) {
    self.actions = actions.map(\.line).filter { window.contains(t: $0.t, channel: $0.channel) }
    isTaken = Array(repeating: false, count: self.actions.count)
    for (index, action) in self.actions.enumerated() {
      if let channel = action.channel { queues[channel, default: ([], 0)].indices.append(index) }
    }
  }

  /// Takes the actions before an instant, but for those that were recorded too.
  package mutating func take(before t: Int) -> [GoldenLine] {
    var found: [GoldenLine] = []
    while next < actions.count, actions[next].t < t {
      if !isTaken[next] { found.append(actions[next]) }
      next += 1
    }
    return found
  }

  /// Takes the action that a recorded line is too, at the same instant; nil if the machine does nothing of the kind.
  package mutating func take(equalTo line: TraceLine) -> GoldenLine? {
    guard let channel = line.channel, var over = queues[channel]?.over, let indices = queues[channel]?.indices
    else { return nil }
    while over < indices.count, actions[indices[over]].t < line.t || isTaken[indices[over]] { over += 1 }
    queues[channel]?.over = over
    for index in indices[over...].prefix(Self.reach) {
      guard actions[index].t == line.t else { return nil }
      if index >= next, !isTaken[index], actions[index].isAction(of: line) {
        isTaken[index] = true
        return actions[index]
      }
    }
    return nil
  }
}

extension GoldenLine {
  /// Whether the recorded line is this very action of the client.
  fileprivate func isAction(of line: TraceLine) -> Bool {
    guard line.channel == channel else { return false }
    if channel?.family != .http, line.generation != generation { return false }
    switch line.event {
    case .wsPing(.out, _, _): return action == .ping
    case .wsMessage(let message): return action == .ping && message.dir == .out && message.beat == .ping
    case .wsClose(.out, _, _): return action == .close
    case .wsClose(.in, _, _), .wsEnd, .wsRefused, .wsPinged: return action == .ended
    case .httpSend(let send): return action == .send && send.req == req && send.attempt == attempt
    case .httpWait(let req, _, let length, _): return action == .wait && req == self.req && length == wait
    case .httpStop(let req, let why):
      return action == .stop && req == self.req && self.why?.description == why.rawValue
    case .sseConnect: return action == .connect
    case .sseEvent(let n, _, _, _): return (action == .deliver || action == .skip) && n == self.n
    case .sseCommit(let cursor): return action == .commit && cursor == self.cursor
    default: return false
    }
  }

  /// The action in words, without the channel, which has a column of its own.
  package func words(_ unit: Unit) -> String {
    var line = self
    (line.channel, line.generation) = (nil, nil)
    return String(Words(unit).action(line).drop { $0 == " " })
  }
}
