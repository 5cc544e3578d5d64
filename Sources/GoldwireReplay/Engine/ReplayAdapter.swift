public import GoldwireMachines
public import GoldwireTrace

/// The two translations that make a machine replayable: lines to events, actions to golden lines.
///
/// A user's own machine needs four members: ``family``, ``makeMachine()``, ``read(_:at:memory:)`` and
/// ``line(for:of:memory:)``. The others have defaults.
public protocol ReplayAdapter: Sendable {
  /// The machine.
  associatedtype Subject: Machine
  /// What the adapter must remember of one machine's lines; nothing, by default.
  associatedtype Memory: Sendable = NoMemory

  /// The family of channels that drive the machine.
  var family: Channel.Family { get }
  /// Whether each logical request of a channel has its own machine, instead of each channel.
  var isPerRequest: Bool { get }

  /// Makes a machine that has seen nothing.
  func makeMachine() -> Subject
  /// Makes a memory of nothing.
  func makeMemory() -> Memory
  /// Says what a line means; `index` is its place in the trace's lines.
  func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Subject.Event>
  /// Translates an action; the instant, the channel and the request are filled in by the replayer.
  func line(for action: Subject.Action, of machine: Subject, memory: Memory) -> GoldenLine

  /// The channel that a line concerns, or nil if it is not this machine's.
  func channel(of line: TraceLine) -> Channel?
  /// The event that brings a fresh machine in step at a recorded action, due at once; nil if it cannot.
  func resume(at line: TraceLine, memory: Memory) -> Subject.Event?
  /// Whether a recording of this kind would show such an action, so that its absence is a departure.
  func isSeen(_ action: GoldenLine) -> Bool
}

/// The memory of an adapter that needs none.
public struct NoMemory: Sendable {
  /// Makes it.
  @inlinable
  public init() {}
}

extension ReplayAdapter {
  /// One machine for each channel.
  @inlinable public var isPerRequest: Bool { false }

  /// The line's own channel, if it is of the machine's family.
  @inlinable
  public func channel(of line: TraceLine) -> Channel? {
    line.channel?.family == family ? line.channel : nil
  }

  /// Nothing but a beginning brings the machine in step.
  @inlinable
  public func resume(at line: TraceLine, memory: Memory) -> Subject.Event? { nil }

  /// Every action is seen.
  @inlinable
  public func isSeen(_ action: GoldenLine) -> Bool { true }
}

extension ReplayAdapter where Memory == NoMemory {
  /// Makes a memory of nothing.
  @inlinable
  public func makeMemory() -> NoMemory { NoMemory() }
}
