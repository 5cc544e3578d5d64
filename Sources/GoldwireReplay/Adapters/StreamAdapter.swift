public import GoldwireMachines
public import GoldwireTrace

/// Replays the event streams of a trace into the stream machine.
public struct StreamAdapter: ReplayAdapter {
  /// What is remembered of an event stream.
  public struct Memory: Equatable, Sendable {
    /// Whether a first connection has been seen.
    var hasBegun = false
    /// The connection that began last.
    var generation = 0
    /// The event that came last, with its id.
    var lastEvent = 0
    /// The id that stands in it.
    var lastID: Int?
    /// What the latest `retry` field said, in milliseconds.
    var retry: Int?
    /// How far the wall clock was set, in µs, since the recording began.
    var wallStep = 0
  }

  /// Event streams.
  public let family: Channel.Family = .sse
  private let parameters: EventStream.Parameters
  private let clock: AnswerClock
  private let assumesHandled: Bool
  private let seesCommits: Bool

  /// Makes an adapter for one trace.
  public init(_ parameters: EventStream.Parameters, _ trace: Trace) {
    self.parameters = parameters
    clock = AnswerClock(trace.header)
    assumesHandled = trace.header.blind.contains(.handler)
    seesCommits =
      !assumesHandled && trace.lines.contains { if case .sseCommit = $0.event { true } else { false } }
  }

  /// Whether each event counts as handled at its own instant, since the source cannot see handlers.
  var isHandlingAssumed: Bool { assumesHandled }

  /// Makes a machine that has seen nothing.
  public func makeMachine() -> EventStream { EventStream(parameters) }

  /// Makes a memory of nothing.
  public func makeMemory() -> Memory { Memory() }

  /// The stream of the line, or the one that an HTTP response turned out to be.
  public func channel(of line: TraceLine) -> Channel? {
    if case .httpResponse(let response) = line.event, let number = response.sse {
      return Channel(.sse, number)
    }
    return line.channel?.family == .sse ? line.channel : nil
  }

  /// Says what a line means.
  public func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<EventStream.Event> {
    let generation = line.generation ?? 1
    switch line.event {
    case .sseConnect(let cursor):
      guard generation >= memory.generation else { return .note }
      memory.generation = generation
      guard memory.hasBegun else {
        memory.hasBegun = true
        return .begin(.connect(generation, cursor: cursor ?? 0))
      }
      return .act(GoldenLine(.connect, generation: generation, cursor: cursor ?? 0))
    case .httpResponse(let response): return turned(response, line.t, &memory)
    case .sseOpen(let status, let type, let retry):
      let answer = clock.answer(status, retry, line.t, memory.wallStep, unit: 1_000_000)
      return .input(.answered(generation, answer, isEventStream: type == .eventStream))
    case .sseEvent(let n, let id, let rev, _):
      (memory.lastEvent, memory.lastID) = (n, id)
      let block = EventStream.Block(n: n, id: id, revision: rev)
      return .input(
        .event(generation, block),
        then: assumesHandled ? .handled(generation, n: n, succeeded: true) : nil)
    case .sseID(let id): return .input(.id(generation, id))
    case .sseComment: return .input(.comment(generation))
    case .sseRetry(let milliseconds):
      if generation >= memory.generation { memory.retry = milliseconds }
      return .input(.retry(generation, milliseconds: milliseconds))
    case .sseHandled(let n, let succeeded): return .input(.handled(generation, n: n, succeeded: succeeded))
    case .sseCommit(let cursor): return .act(GoldenLine(.commit, cursor: cursor))
    case .sseCut(let cause, _, _): return cause == .local ? .timer : .input(.cut(generation))
    case .sseCancel: return .input(.cancel)
    case .recWall(let step):
      memory.wallStep = AnswerClock.sum(memory.wallStep, step)
      return .note
    default: return .note
    }
  }

  /// A plain request's response turned out to be an event stream: it stands for connecting and opening.
  private func turned(
    _ response: HTTPResponse, _ t: Int, _ memory: inout Memory
  ) -> Reading<EventStream.Event> {
    memory.generation = max(1, AnswerClock.sum(memory.generation, 1))
    let answer = clock.answer(response.status, response.retry, t, memory.wallStep, unit: 1_000_000)
    let opened = EventStream.Event.answered(
      memory.generation, answer, isEventStream: response.type != .other)
    guard memory.hasBegun else {
      memory.hasBegun = true
      return .begin(.connect(memory.generation, cursor: nil), then: opened)
    }
    return .act(GoldenLine(.connect, generation: memory.generation), then: opened)
  }

  /// Translates an action; an event is named by its number, and its id where it came last.
  public func line(
    for action: EventStream.Action, of machine: EventStream, memory: Memory
  ) -> GoldenLine {
    let generation = machine.generation
    switch action {
    case .connect(let cursor): return GoldenLine(.connect, generation: generation, cursor: cursor)
    case .deliver(let n): return GoldenLine(.deliver, generation: generation, n: n, id: id(of: n, memory))
    case .skip(let n): return GoldenLine(.skip, generation: generation, n: n, id: id(of: n, memory))
    case .commit(let cursor): return GoldenLine(.commit, generation: generation, cursor: cursor)
    case .stop(let why): return GoldenLine(.stop, generation: generation, why: ActionWord(why.rawValue))
    case .note(let note): return GoldenLine(.note, generation: generation, why: ActionWord(note.rawValue))
    }
  }

  private func id(of n: Int, _ memory: Memory) -> Int? { memory.lastEvent == n ? memory.lastID : nil }

  /// A recorded connection brings a fresh machine in step; one that an HTTP response is says no cursor.
  public func resume(at line: TraceLine, memory: Memory) -> EventStream.Event? {
    switch line.event {
    case .sseConnect(let cursor): .connect(line.generation ?? 1, cursor: cursor ?? 0)
    case .httpResponse: .connect(memory.generation, cursor: nil)
    default: nil
    }
  }

  /// Makes a machine that keeps the cursor, the effects and the delay that the server asked for.
  public func makeMachine(after machine: EventStream, memory: Memory) -> EventStream {
    EventStream(
      parameters, cursor: machine.committed, window: machine.effects, retryMilliseconds: memory.retry)
  }

  /// The connection that the machine is at: it makes its next one by itself.
  public func generation(of machine: EventStream) -> Int? { machine.generation }

  /// The wall clock is asked for only when an answer comes.
  public func isPrompt(_ line: TraceLine) -> Bool { false }

  /// Connections are seen by every source; commits only where the recording has any.
  public func isSeen(_ action: GoldenLine) -> Bool {
    switch action.action {
    case .connect: true
    case .commit: seesCommits
    default: false
    }
  }
}
