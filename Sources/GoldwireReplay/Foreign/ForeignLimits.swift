/// What bounds a machine of another language.
public struct ForeignLimits: Equatable, Sendable {
  /// The most bytes of one line, in either direction.
  public var lineBytes: Int = 65_536
  /// The most actions that come of one event.
  public var actions: Int = 64
  /// The most seconds that a reply may take.
  public var replySeconds: Int = 10
  /// The most seconds that a child may take to go once all is asked; then it is killed.
  public var goodbyeSeconds: Int = 2
  /// The most machines that are kept at once.
  public var machines: Int = 65_536

  /// Makes the limits as they come.
  public init() {}
}
