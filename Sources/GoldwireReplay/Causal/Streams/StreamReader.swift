internal import GoldwireMachines
internal import GoldwireTrace

/// Reads all event streams of a trace in one pass over its lines.
struct StreamReader {
  private let adapter: StreamAdapter
  private var streams: [RecordedStream] = []
  private var memories: [StreamAdapter.Memory] = []
  private var indices: [Channel: Int] = [:]
  private var wallStep = 0

  /// The streams in the order of their first lines; `parameters` are those in force.
  static func streams(
    in trace: Trace, _ parameters: EventStream.Parameters, replayed: Replayed
  ) -> [RecordedStream] {
    var reader = StreamReader(adapter: StreamAdapter(parameters, trace))
    for index in 0..<TraceScan(trace.lines).count { reader.take(trace.lines[index], at: index) }
    for action in replayed.actions { reader.take(action) }
    return reader.streams
  }

  private init(adapter: StreamAdapter) { self.adapter = adapter }

  private mutating func take(_ line: TraceLine, at index: Int) {
    if case .recWall(let step) = line.event { wallStep = AnswerClock.sum(wallStep, step) }
    if case .recGap = line.event {
      for place in streams.indices where line.channel == nil || streams[place].channel == line.channel {
        streams[place].hasHole = true
      }
    }
    guard let channel = adapter.channel(of: line) else { return }
    let place = indices[channel] ?? streams.count
    if place == streams.count {
      indices[channel] = place
      streams.append(RecordedStream(channel: channel))
      memories.append(adapter.makeMemory())
    }
    memories[place].wallStep = wallStep
    let reading = adapter.read(line, at: index, memory: &memories[place])
    switch reading {
    case .begin(.connect(let number, let cursor), let then):
      begin(&streams[place], number, cursor, line.t, index)
      if let then { take(then, line.t, index, &streams[place]) }
    case .act(let action, _, let then) where action.action == .connect:
      begin(&streams[place], action.generation ?? memories[place].generation, action.cursor, line.t, index)
      if let then { take(then, line.t, index, &streams[place]) }
    case .input(let event, let then):
      take(event, line.t, index, &streams[place])
      if let then { take(then, line.t, index, &streams[place]) }
    case .begin, .act, .note, .timer: break
    }
  }

  private func begin(_ stream: inout RecordedStream, _ number: Int, _ cursor: Int?, _ t: Int, _ index: Int) {
    guard number > (stream.connections.last?.number ?? 0) else { return }
    stream.connections.append(.init(number: number, connect: t, due: t, line: index, cursor: cursor))
  }

  private func take(_ event: EventStream.Event, _ t: Int, _ index: Int, _ stream: inout RecordedStream) {
    let item = RecordedStream.Item(t: t, event: event, line: index)
    guard let number = event.connection else {
      if event == .cancel, stream.cancel == nil { stream.cancel = item }
      return
    }
    guard let place = stream.connections.lastIndex(where: { $0.number == number }) else { return }
    switch event {
    case .answered(_, let answer, _):
      if stream.connections[place].answer == nil, !answer.isInterim {
        stream.connections[place].answer = item
      }
    case .cut: if stream.connections[place].cut == nil { stream.connections[place].cut = item }
    case .handled(_, let n, let succeeded):
      let handled = stream.connections[place].items.lastIndex { $0.event.number == n }
      if let handled { stream.connections[place].items[handled].handled = (t, succeeded, index) }
    default: stream.connections[place].items.append(item)
    }
  }

  /// Connections are the machine's own, with the instant at which they were due, and their cursor.
  private mutating func take(_ action: ReplayedAction) {
    guard let channel = action.line.channel, let place = indices[channel] else { return }
    streams[place].actions.append(action)
    if action.line.action == .skip, let connection = action.line.generation, let n = action.line.n {
      streams[place].leftOut[connection, default: []].insert(n)
    }
    guard action.line.action == .connect,
      let index = streams[place].connections.lastIndex(where: { $0.number == action.line.generation })
    else { return }
    streams[place].connections[index].connect = action.line.t
    streams[place].connections[index].due = action.due
    streams[place].connections[index].cursor = action.line.cursor
  }
}
