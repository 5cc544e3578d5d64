public import GoldwireMachines
public import GoldwireTrace

/// An adapter whose machine is another one that takes the same events and gives the same actions.
///
/// So a client's own heartbeat, written in Swift, is fed what Goldwire's would be:
/// `AdapterSwap(HeartbeatAdapter(parameters, header: trace.header)) { TheirHeartbeat() }`.
public struct AdapterSwap<Base: ReplayAdapter, Subject: Machine>: ReplayAdapter
where Subject.Event == Base.Subject.Event, Subject.Action == Base.Subject.Action {
  /// What the base remembers.
  public typealias Memory = Base.Memory

  private let base: Base
  private let make: @Sendable () -> Subject

  /// Puts the machines that a closure makes in the place of an adapter's own.
  public init(_ base: Base, machine: @escaping @Sendable () -> Subject) {
    (self.base, make) = (base, machine)
  }

  /// The base's family.
  public var family: Channel.Family { base.family }
  /// Whether the base has a machine for each request.
  public var isPerRequest: Bool { base.isPerRequest }

  /// Makes a machine that has seen nothing.
  public func makeMachine() -> Subject { make() }
  /// Makes a memory of nothing.
  public func makeMemory() -> Memory { base.makeMemory() }
  /// The base's channel.
  public func channel(of line: TraceLine) -> Channel? { base.channel(of: line) }
  /// Whether the base hears it at once.
  public func isPrompt(_ line: TraceLine) -> Bool { base.isPrompt(line) }
  /// Whether a recording shows it.
  public func isSeen(_ action: GoldenLine) -> Bool { base.isSeen(action) }
  /// Whether it is of a timer that may keep to its instants.
  public func keepsTime(_ action: GoldenLine) -> Bool { base.keepsTime(action) }

  /// Says what a line means.
  public func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Subject.Event> {
    base.read(line, at: index, memory: &memory)
  }

  /// Translates an action; what is read beside it, as a cause, is not known.
  public func line(for action: Subject.Action, of machine: Subject, memory: Memory) -> GoldenLine {
    var line = base.line(for: action, of: base.makeMachine(), memory: memory)
    if line.generation == 0 { line.generation = nil }
    return line
  }

  /// The event that brings a fresh machine in step.
  public func resume(at line: TraceLine, memory: Memory) -> Subject.Event? {
    base.resume(at: line, memory: memory)
  }
}
