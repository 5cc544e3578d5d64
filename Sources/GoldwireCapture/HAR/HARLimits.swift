/// The limits of importing a HAR; a file that crosses one is refused with its place.
public struct HARLimits: Equatable, Sendable {
  /// The most bytes of the file, inflated.
  public var fileBytes = 1 << 30
  /// The most bytes of one string of it.
  public var stringBytes = 1 << 28
  /// How deep its values may be nested.
  public var depth = 1_024
  /// The most entries.
  public var entries = 1_000_000
  /// The most messages and events of all entries together.
  public var items = 10_000_000
  /// The most bytes of a target or a header's value that are looked at.
  public var valueBytes = 16_384
  /// The most header lines of one message that are kept.
  public var headers = 64

  /// Makes the limits that the command uses.
  public init() {}
}
