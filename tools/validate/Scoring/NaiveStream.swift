public import GoldwireMachines
internal import GoldwireReplay
public import GoldwireTrace

/// A reader of an event stream with other parameters in a world that is guessed, or known, without inference.
///
/// What comes is handled at once.
public struct NaiveStream {
  /// What comes on a connection.
  public enum Arrival: Equatable, Sendable {
    /// The request is answered.
    case answered(status: Int, isEventStream: Bool)
    /// An event with its id, and which content it is with that id.
    case event(id: Int?, revision: Int)
    /// A block with an id alone.
    case id(Int)
    case comment
    /// The field of that name, in milliseconds.
    case retry(Int)
    /// The request fails, or the stream ends.
    case cut
  }

  /// What a connection gets, each at an instant in microseconds, in order.
  public typealias Connection = [(t: Int, arrival: Arrival)]

  /// What a request asks for.
  public struct Request: Equatable, Sendable {
    /// Its number among the reader's, from 1.
    public var number: Int
    /// When it is sent.
    public var t: Int
    /// The event after which it resumes; 0 for the beginning.
    public var cursor: Int

    /// Makes a request.
    public init(number: Int, t: Int, cursor: Int) { (self.number, self.t, self.cursor) = (number, t, cursor) }
  }

  private let meets: (Request) -> Connection?
  private let horizon: Int
  private let channel: Int
  private var machine: EventStream
  private var steps: [Step] = []
  private var coming: Connection = []
  private var next = 0
  private var count = 0

  private init(
    _ parameters: EventStream.Parameters, channel: Int, until horizon: Int,
    _ meets: @escaping (Request) -> Connection?
  ) {
    machine = EventStream(parameters)
    self.channel = channel
    self.horizon = horizon
    self.meets = meets
  }

  /// The steps of a reader that begins when the recorded one did, where `meets` tells what a request gets; nil for what
  /// nobody knows, which ends it.
  public static func steps(
    of trace: Trace, _ parameters: EventStream.Parameters, meets: @escaping (Request) -> Connection?
  ) -> [Step] {
    for line in trace.lines {
      guard case .sseConnect = line.event, let channel = line.channel?.number else { continue }
      var run = NaiveStream(parameters, channel: channel, until: trace.horizon, meets)
      run.run(from: line.t)
      return run.steps
    }
    return []
  }

  /// The steps of a reader whose k-th connection gets what the k-th recorded one got, as long after its request; the
  /// answer after the least time that one took, if it is to be `constant`.
  public static func steps(
    of trace: Trace, _ parameters: EventStream.Parameters, isConstant: Bool
  ) -> [Step] {
    let connections = recorded(trace)
    let least = isConstant ? connections.compactMap { $0.first?.t }.min() : nil
    return steps(of: trace, parameters) { request in
      guard connections.indices.contains(request.number - 1) else { return nil }
      let own = connections[request.number - 1]
      let late = least.flatMap { least in own.first.map { $0.t - least } } ?? 0
      return own.map { ($0.t - late + request.t, $0.arrival) }
    }
  }

  /// What each recorded connection got, counted from its request.
  private static func recorded(_ trace: Trace) -> [Connection] {
    var connections: [Connection] = []
    var start = 0
    for line in trace.lines where line.channel?.family == .sse {
      let arrival: Arrival
      switch line.event {
      case .sseConnect:
        connections.append([])
        start = line.t
        continue
      case .sseOpen(let status, let type, _):
        arrival = .answered(status: status ?? 0, isEventStream: type == .eventStream)
      case .sseEvent(_, let id, let revision, _): arrival = .event(id: id, revision: revision)
      case .sseID(let id): arrival = .id(id)
      case .sseComment: arrival = .comment
      case .sseRetry(let milliseconds): arrival = .retry(milliseconds)
      case .sseCut(let cause, _, _) where cause != .local: arrival = .cut
      default: continue
      }
      guard !connections.isEmpty else { continue }
      connections[connections.count - 1].append((line.t - start, arrival))
    }
    return connections
  }

  private mutating func run(from start: Int) {
    take(.connect(1, cursor: 0), at: start)
    connect(at: start)
    while machine.phase != .stopped {
      let arrival = next < coming.count ? coming[next].t : .max
      let wake = machine.wakeup ?? .max
      let t = min(arrival, wake)
      guard t <= horizon, t < .max else { return }
      if arrival <= wake {
        next += 1
        receive(coming[next - 1].arrival, at: t)
      } else {
        let generation = machine.generation
        var actions: [EventStream.Action] = []
        machine.tick(at: t) { actions.append($0) }
        for action in actions { add(action, at: t, nil) }
        if machine.generation != generation { connect(at: t) }
      }
      if machine.phase == .waiting { (coming, next) = ([], 0) }
    }
  }

  private mutating func connect(at t: Int) {
    let request = Request(number: machine.generation, t: t, cursor: machine.committed)
    (coming, next, count) = (meets(request) ?? [], 0, 0)
  }

  private mutating func receive(_ arrival: Arrival, at t: Int) {
    let generation = machine.generation
    switch arrival {
    case .answered(let status, let isEventStream):
      take(.answered(generation, Answer(status: status), isEventStream: isEventStream), at: t)
    case .event(let id, let revision):
      count += 1
      take(.event(generation, .init(n: count, id: id, revision: revision)), at: t, id: id)
      take(.handled(generation, n: count, succeeded: true), at: t, id: id)
    case .id(let id): take(.id(generation, id), at: t)
    case .comment: take(.comment(generation), at: t)
    case .retry(let milliseconds): take(.retry(generation, milliseconds: milliseconds), at: t)
    case .cut: take(.cut(generation), at: t)
    }
  }

  private mutating func take(_ event: EventStream.Event, at t: Int, id: Int? = nil) {
    var actions: [EventStream.Action] = []
    machine.handle(event, at: t) { actions.append($0) }
    for action in actions { add(action, at: t, id) }
  }

  private mutating func add(_ action: EventStream.Action, at t: Int, _ id: Int?) {
    switch action {
    case .connect:
      steps.append(Step(.init(.send, session: channel, ordinal: machine.generation), t: t))
    case .deliver: steps.append(Step(.init(.deliver, session: channel, ordinal: id ?? 0), t: t))
    case .commit(let cursor): steps.append(Step(.init(.commit, session: channel, ordinal: cursor), t: t))
    case .stop(let why): steps.append(Step(.init(.stop, session: channel), t: t, cause: why.rawValue))
    case .skip, .note: break
    }
  }
}
