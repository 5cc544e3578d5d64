/// A client's state machine as a value: events and instants go in, actions come out.
///
/// Instants are whole numbers on a monotonic clock, in one unit throughout: milliseconds in tests,
/// the trace's own unit in a replay. A machine holds no clock, timer, task or randomness.
public protocol Machine: Sendable {
  /// What happened to the client: a callback, a response, a line of a trace.
  associatedtype Event: Sendable
  /// What the machine asks its caller to do.
  associatedtype Action: Equatable, Sendable

  /// The next instant at which ``tick(at:emit:)`` can act, or nil if none will come by itself.
  var wakeup: Int? { get }

  /// Takes one event at the instant `now`.
  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void)

  /// Lets the machine act on the passing of time; a tick that comes early does nothing.
  mutating func tick(at now: Int, emit: (Action) -> Void)
}
