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
  /// By how much the machine's instants may lie behind those that a recorded timer keeps to: see ``ReplayAdapter/keepsTime(_:)``.
  @usableFromInline var carried = 0
  /// Whether the recorded client went its own way: the machine stands still until the next beginning.
  @usableFromInline var isAstray = false
  /// How much of the app's state it has heard, and how far the wall clock was set by then.
  @usableFromInline var version = 0
  @usableFromInline var wall = 0
  /// Whether it is among those that hear of the app's state at once.
  @usableFromInline var isAwake = false

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
  /// The machine of the channel, where it has one for all.
  @usableFromInline var slot: Int?
  /// The indices of its machines that no hole has made stale.
  @usableFromInline var fresh: [Int] = []
  /// When its requests' machines want to be woken, where recorded ticks do that.
  @usableFromInline var timers = TimerHeap()
  /// The machine of each request.
  @usableFromInline var requests: [Int: Int] = [:]
  /// Whether a hole in the recording has put it out of step.
  @usableFromInline var isLost = false
  /// Whether a machine of it was ever in step.
  @usableFromInline var wasInStep = false

  @inlinable
  init(_ name: Channel) { self.name = name }
}
