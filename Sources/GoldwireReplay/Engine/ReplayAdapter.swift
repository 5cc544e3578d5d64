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
  /// Makes a machine after a hole or a departure, with what stays known of the one before.
  func makeMachine(after machine: Subject, memory: Memory) -> Subject
  /// How a recorded action stands to a machine that is in step.
  func standing(of action: GoldenLine, with machine: Subject) -> Standing
  /// The connection that the machine is at; nil for the one that began last.
  func generation(of machine: Subject) -> Int?
  /// Whether a line of the app's state, the session or the wall clock is heard at its own instant.
  ///
  /// Otherwise it is heard before the machine acts or hears anything else; of several the first and last.
  func isPrompt(_ line: TraceLine) -> Bool
  /// Whether an action is of a timer that may keep to its instants, so that it comes early behind one that was late.
  func keepsTime(_ action: GoldenLine) -> Bool
  /// Whether nothing comes of the app's state, but that the last of it must be known with the next line.
  func isAsleep(_ machine: Subject) -> Bool
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

  /// Nothing stays known.
  @inlinable
  public func makeMachine(after machine: Subject, memory: Memory) -> Subject { makeMachine() }

  /// Every action is compared.
  @inlinable
  public func standing(of action: GoldenLine, with machine: Subject) -> Standing { .asked }

  /// The connection that began last.
  @inlinable
  public func generation(of machine: Subject) -> Int? { nil }

  /// Every timer is set anew when it has run off.
  @inlinable
  public func keepsTime(_ action: GoldenLine) -> Bool { false }

  /// Every line is heard at once.
  @inlinable
  public func isPrompt(_ line: TraceLine) -> Bool { true }

  /// Never.
  @inlinable
  public func isAsleep(_ machine: Subject) -> Bool { false }
}

extension ReplayAdapter where Memory == NoMemory {
  /// Makes a memory of nothing.
  @inlinable
  public func makeMemory() -> NoMemory { NoMemory() }
}
