public import GoldwireMachines
public import GoldwireTrace

/// One machine in a replay: of a channel, or of a request in it.
@usableFromInline
struct ReplaySlot<Adapter: ReplayAdapter> {
  /// The machine.
  @usableFromInline var machine: Adapter.Subject
  /// What the adapter remembers.
  @usableFromInline var memory: Adapter.Memory
  /// The index of the channel.
  @usableFromInline let channel: Int
  /// The request, of a machine that has one for each.
  @usableFromInline let req: Int?
  /// The connection that began last.
  @usableFromInline var generation: Int?
  /// Whether the machine knows what the recorded client knew.
  @usableFromInline var isInStep = false
  /// Whether a hole came after it was made, so that what it knows is void.
  @usableFromInline var isStale = false
  /// The machine's own clock, which never goes back.
  @usableFromInline var now = Int.min
  /// When the machine wants to be woken.
  @usableFromInline var wakeup: Int?
  /// The index of the line that set the wake-up, and the instant at which it was set.
  @usableFromInline var wakeLine: Int?
  @usableFromInline var wakeSet = 0
  /// Actions that the recorded client should have taken: indices in the output.
  @usableFromInline var open: [Int] = []
  /// An action that was due and is overdue; the machine stands still until it comes.
  @usableFromInline var overdue: ReplayedAction?
  /// Whether the recorded client went its own way: the machine stands still until the next beginning.
  @usableFromInline var isAstray = false

  @inlinable
  init(machine: Adapter.Subject, memory: Adapter.Memory, channel: Int, req: Int?) {
    self.machine = machine
    self.memory = memory
    self.channel = channel
    self.req = req
    wakeup = machine.wakeup
  }
}

/// One channel in a replay.
@usableFromInline
struct ReplayChannel {
  @usableFromInline let name: Channel
  /// The indices of its machines.
  @usableFromInline var slots: [Int] = []
  /// The machine of each request.
  @usableFromInline var requests: [Int: Int] = [:]
  /// Whether a hole in the recording has put it out of step.
  @usableFromInline var isLost = false
  /// Whether a machine of it was ever in step.
  @usableFromInline var wasInStep = false

  @inlinable
  init(_ name: Channel) { self.name = name }
}

/// The state of the app, which a machine that is made later must be told.
@usableFromInline
struct Ambient {
  @usableFromInline var app: TraceLine?
  @usableFromInline var network: TraceLine?
  @usableFromInline var session: TraceLine?
  @usableFromInline var wall: TraceLine?

  @inlinable
  init() {}

  /// Takes note of a line; false if it is none of the app's state.
  @inlinable
  mutating func take(_ line: TraceLine) -> Bool {
    switch line.event {
    case .appBackground, .appForeground: app = line
    case .appNetwork: network = line
    case .appSession: session = line
    case .recWall(let step):
      var sum = line
      if case .recWall(let before)? = wall?.event {
        let (total, overflow) = before.addingReportingOverflow(step)
        sum.event = .recWall(step: overflow ? before : total)
      }
      wall = sum
    default: return false
    }
    return true
  }
}
