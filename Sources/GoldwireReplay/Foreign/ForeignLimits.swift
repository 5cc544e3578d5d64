/// What bounds a machine of another language.
public struct ForeignLimits: Equatable, Sendable {
  /// The most bytes of one line, in either direction.
  public var lineBytes: Int = 65_536
  /// The most actions that come of one event.
  public var actions: Int = 64
  /// The most actions of one machine in all.
  public var actionsInAll: Int = 1_000_000
  /// The most ticks that one machine may ask for without an event between them.
  public var ticks: Int = 100_000
  /// The most ticks that one machine may ask for within a second without an event between them.
  public var ticksWithinASecond: Int = 2_000
  /// The same of a machine that cannot be copied, once it is to be told all again.
  public var ticksWithinASecondToldAgain: Int = 250
  /// The most ticks that may be told again, without an event between them, to a machine that cannot be copied.
  public var ticksToldAgain: Int = 1_000_000
  /// The most ticks that one machine may ask for at one instant.
  public var ticksAtOneInstant: Int = 16
  /// The most seconds that a reply may take.
  public var replySeconds: Int = 10
  /// The most seconds that a child may take to go once all is asked; then it is killed.
  public var goodbyeSeconds: Int = 2
  /// The most machines that are kept at once.
  public var machines: Int = 65_536

  /// Makes the limits as they come.
  public init() {}
}
