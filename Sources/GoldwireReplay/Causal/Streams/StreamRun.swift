internal import GoldwireMachines

/// A reader with other parameters in one world, from the recorded beginning to the horizon.
struct StreamRun {
  /// An action of it.
  struct Step {
    /// What the machine asks for; nil where it gives the connection up for its silence.
    var action: EventStream.Action?
    var t: Int
    var generation: Int
    /// The id of the event that it is about.
    var id: Int?
    var grade: Grade
    var lines: [Int]
    /// The event that it delivers.
    var event: Delivered?
    /// The handler of the event that it delivers failed.
    var isFailed = false
  }

  /// The limits of a prediction.
  enum Limits {
    /// The most steps of one reader in one world.
    static let steps = 65_536
  }

  let world: StreamWorld
  private let horizon: Int
  private let assumesHandled: Bool
  /// The silence after which the recorded reader gave up.
  private let patience: Int?
  /// Instants were not taken at the client: how long it heard nothing is not proved by them.
  private let isElsewhere: Bool
  /// From when on nobody heard what came on this connection: the recorded reader had given it up.
  private var unheard: Int?
  private(set) var machine: EventStream
  var steps: [Step] = []
  /// A request met what the recording cannot tell.
  private(set) var isCensored = false
  var grade: Grade
  private var isSame = true
  private var queue: [Arrival] = []
  private var next = 0
  private var number = 0
  var lines: [Int] = []
  /// The event that came last, with its id, as an adapter remembers it.
  var last: (n: Int, id: Int?) = (0, nil)
  /// What came, by its connection and number there: what it is, and what its handler comes to where that is not recorded.
  var known: [Place: (event: Delivered, handlings: [StreamWorld.Handling])] = [:]
  /// The steps that deliver those events.
  var delivered: [Place: Int] = [:]
  /// How often each event was delivered.
  var deliveries: [Delivered: Int] = [:]
  /// Handlers that end at once.
  var ending: [EventStream.Event] = []

  /// Something that will come on the connection.
  struct Arrival {
    var at: Int
    var event: EventStream.Event
    var line: Int
    /// What its handler comes to, each time; empty where that is recorded by itself.
    var handlings: [StreamWorld.Handling] = []
    var grade: Grade?
  }

  init(
    _ world: StreamWorld, _ parameters: EventStream.Parameters, horizon: Int, best: Grade,
    assumesHandled: Bool, patience: Int?
  ) {
    self.patience = patience
    self.world = world
    self.horizon = horizon
    self.assumesHandled = assumesHandled
    isElsewhere = best < .observed
    grade = best
    machine = EventStream(parameters)
  }

  /// Runs it to the horizon.
  mutating func run() {
    guard let first = world.stream.connections.first else { return }
    lines = [first.line]
    take(.connect(first.number, cursor: first.cursor ?? 0), at: first.connect)
    connected(first.number, at: first.connect)
    while machine.phase != .stopped, steps.count < Limits.steps {
      let arrival = next < queue.count ? queue[next].at : Int.max
      let cancel = world.stream.cancel?.t ?? Int.max
      let wake = wakeup ?? Int.max
      let t = min(arrival, cancel, wake)
      guard t <= horizon, t < Int.max else { return }
      if let start = unheard, t > start {
        unheard = nil
        grade = min(grade, .assumed)
      }
      if arrival == t {
        arrive()
      } else if cancel == t {
        lines = [world.stream.cancel?.line].compactMap(\.self)
        take(.cancel, at: t)
      } else {
        tick(at: t)
      }
    }
  }

  /// When the machine wakes: with the recorded client's lateness, as long as all is as recorded.
  private var wakeup: Int? {
    guard let due = machine.wakeup else { return nil }
    guard isSame, machine.phase == .waiting,
      let place = world.stream.connections.firstIndex(where: { $0.number == number }),
      place + 1 < world.stream.connections.count, world.stream.connections[place + 1].due == due
    else { return due }
    return world.stream.connections[place + 1].connect
  }

  // MARK: Steps

  private mutating func take(_ event: EventStream.Event, at t: Int) {
    var actions: [EventStream.Action] = []
    machine.handle(event, at: t) { actions.append($0) }
    for action in actions { add(action, at: t) }
    while let ended = ending.first {
      ending.removeFirst()
      take(ended, at: t)
    }
  }

  private mutating func add(_ action: EventStream.Action, at t: Int) {
    var step = Step(action: action, t: t, generation: machine.generation, grade: grade, lines: lines)
    switch action {
    case .deliver(let n):
      step.id = last.n == n ? last.id : nil
      let place = Place(connection: machine.generation, n: n)
      step.event = known[place]?.event
      delivered[place] = steps.count
      steps.append(step)
      handle(place, at: t)
    case .skip(let n):
      step.id = last.n == n ? last.id : nil
      steps.append(step)
    case .connect, .commit, .stop, .note: steps.append(step)
    }
  }

  private mutating func tick(at t: Int) {
    let wasOpen = machine.phase == .open
    var actions: [EventStream.Action] = []
    machine.tick(at: max(t, machine.wakeup ?? t)) { actions.append($0) }
    if wasOpen, machine.phase == .waiting {
      steps.append(
        Step(
          action: nil, t: t, generation: machine.generation,
          grade: isElsewhere ? min(grade, .assumed) : grade, lines: lines))
      // A reader of another patience did not end this connection as the recorded one did.
      if machine.parameters.idle != patience { isSame = false }
      dropQueue()
    }
    for action in actions {
      add(action, at: t)
      if case .connect = action { connected(machine.generation, at: t) }
    }
  }

  /// What was on its way on a connection that is over; handlers that run go on.
  private mutating func dropQueue() {
    queue = queue[next...].filter { if case .handled = $0.event { true } else { false } }
    next = 0
  }

  private mutating func arrive() {
    let arrival = queue[next]
    next += 1
    lines = [arrival.line]
    if let own = arrival.grade { grade = min(grade, own) }
    let phase = machine.phase
    note(arrival)
    take(arrival.event, at: arrival.at)
    if case .answered = arrival.event, phase == .connecting, machine.phase == .open { opened(at: arrival.at) }
    if machine.phase == .waiting || machine.phase == .stopped, phase != machine.phase { dropQueue() }
  }

  mutating func insert(_ arrival: Arrival) {
    var (low, high) = (next, queue.count)
    while low < high {
      let middle = (low + high) / 2
      if queue[middle].at <= arrival.at { low = middle + 1 } else { high = middle }
    }
    queue.insert(arrival, at: low)
  }

  // MARK: The world

  /// Finds out what a request meets.
  private mutating func connected(_ generation: Int, at t: Int) {
    number = generation
    let recorded = world.stream.connections.first { $0.number == generation }
    // With another cursor a server would have sent something else.
    isSame =
      isSame && recorded?.connect == t && recorded?.cursor ?? machine.committed == machine.committed
    unheard = nil
    dropQueue()
    if isSame, let recorded {
      replay(recorded)
      return
    }
    guard let meeting = world.meets(t) else {
      isCensored = true
      return
    }
    insert(
      Arrival(
        at: meeting.at, event: meeting.item.event.moved(to: generation, n: 0), line: meeting.item.line,
        grade: meeting.grade))
  }

  /// A connection exactly as it was recorded.
  private mutating func replay(_ recorded: RecordedStream.Connection) {
    var arrivals: [Arrival] = []
    for item in [recorded.answer].compactMap(\.self) + recorded.items + [recorded.cut].compactMap(\.self) {
      arrivals.append(
        Arrival(
          at: item.t, event: item.event, line: item.line,
          handlings: world.handlings(of: item, on: recorded.number)))
      if let handled = item.handled, let n = item.event.number {
        let event = EventStream.Event.handled(recorded.number, n: n, succeeded: handled.succeeded)
        arrivals.append(Arrival(at: handled.t, event: event, line: handled.line))
      }
    }
    let order = arrivals.indices.sorted { one, two in
      (arrivals[one].at, arrivals[one].line, one) < (arrivals[two].at, arrivals[two].line, two)
    }
    for index in order { insert(arrivals[index]) }
    goOn(recorded)
  }

  /// What a reader would have heard that bears a longer silence than the recorded one, which gave the connection up:
  /// nothing more, or what a later connection heard.
  private mutating func goOn(_ recorded: RecordedStream.Connection) {
    let connections = world.stream.connections
    guard let patience, machine.parameters.idle ?? .max > patience, recorded.isOpen, recorded.cut == nil,
      recorded.number != connections.last?.number,
      let last = recorded.items.last?.t ?? recorded.answer?.t
    else { return }
    let start = AnswerClock.sum(last, patience)
    unheard = start
    guard world.back != .late else { return }
    let own = recorded.items.count { if case .event = $0.event { true } else { false } }
    // At that very instant a reader that bears no longer silence is gone.
    deliver(world.log.filter { $0.item.t > start }, from: start + 1, after: own)
  }

  /// Entries of the server's, at their instants or from one on, until the next cut.
  private mutating func deliver(_ entries: [StreamWorld.Entry], from t: Int, after count: Int) {
    let end = world.cuts.first { $0.t > t }
    var n = count
    for entry in entries {
      guard entry.at < end?.t ?? .max else { break }
      if case .event = entry.item.event { n += 1 }
      insert(
        Arrival(
          at: max(t, entry.at), event: entry.item.event.moved(to: number, n: n), line: entry.item.line,
          handlings: entry.handlings))
    }
    if let end { insert(Arrival(at: end.t, event: .cut(number), line: end.line)) }
  }

  /// What an open connection delivers: what the server has after the cursor, and what it sent again before it, then what
  /// comes, until the next cut.
  private mutating func opened(at t: Int) {
    guard !isSame else { return }
    let place = world.log.lastIndex { $0.id != nil && $0.id == machine.committed }
    let known = machine.committed != 0
    let again = (world.back == .early ? world.again.first : world.again.last) ?? 0
    let from = place.map { again > $0 ? 0 : $0 + 1 - again } ?? 0
    let isLost = !known && world.log.contains { $0.id != nil && $0.at <= t }
    // What a server does that is told no cursor, or did not always do the same, is not known.
    if isLost || place != nil && world.again.count > 1 { grade = min(grade, .assumed) }
    let entries = world.log.enumerated().filter { place, entry in
      entry.at > t || (place >= from && entry.id != nil && known)
    }
    deliver(entries.map(\.element), from: t, after: 0)
  }
}
