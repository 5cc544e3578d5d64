/// What a line of a trace means to a machine.
public enum Reading<Event: Sendable>: Sendable {
  /// Nothing: it is for people and for models.
  case note
  /// It is fed to the machine, a second event right after the first where there is one.
  case input(Event, then: Event? = nil)
  /// A connection or a request begins: it is fed, and brings a machine in step that was not.
  case begin(Event, then: Event? = nil)
  /// It is what the recorded client did by itself: compared, never fed.
  ///
  /// Where the machine has no reason for it, `or` is fed instead; `then` is fed after it in any case.
  case act(GoldenLine, or: Event? = nil, then: Event? = nil)
  /// A timer of the recorded client ran that shows in no action: the machine's own is taken as run.
  case timer
}
