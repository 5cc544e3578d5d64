internal import GoldwireTrace

/// Which notes must follow a line: what was left out of it, and what people should know of it.
struct TapNotes {
  /// The most WebSocket channels of which the current connection is known.
  private static let most = 4_096

  /// The current connection of each session, and the latest of an older one whose messages were noted.
  private var current: [Channel: (generation: Int, noted: Int)] = [:]

  /// The notes that follow a line, made of a record; as a rule there are none.
  mutating func notes(after line: TraceLine, of item: RecordOrder.Item) -> [Note] {
    var notes: [Note] = []
    if item.isBack { notes.append(.timeBack) }
    if let note = item.record.note { notes.append(note) }
    if isSuperseded(line) { notes.append(.superseded) }
    return notes
  }

  /// Whether the line is the first message of a connection that another followed.
  private mutating func isSuperseded(_ line: TraceLine) -> Bool {
    guard let channel = line.channel, let generation = line.generation else { return false }
    switch line.event {
    case .wsConnect, .wsAttach:
      if current.count >= Self.most { current.removeAll(keepingCapacity: true) }
      current[channel] = (generation, current[channel]?.noted ?? 0)
    case .wsMessage(let message) where message.dir == .in:
      guard let known = current[channel], generation < known.generation, generation > known.noted else {
        return false
      }
      current[channel] = (known.generation, generation)
      return true
    default: break
    }
    return false
  }
}
