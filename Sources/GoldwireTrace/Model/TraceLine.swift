/// One line of a trace after the header: an event, its instant, and the channel and generation that it belongs to.
///
/// A line is a trivial value: it holds whole numbers and words of closed sets, and nowhere a string of the wire.
public struct TraceLine: Equatable, Sendable {
  /// The instant, in the header's unit since the recording began.
  public var t: Int
  /// The channel, or nil for an event that concerns all of them.
  public var channel: Channel?
  /// The connection's number in its channel, from 1.
  public var generation: Int? {
    @inline(__always) get { slimGeneration.value }
    @inline(__always) set { slimGeneration.value = newValue }
  }
  /// What happened.
  public var event: TraceEvent
  @usableFromInline
  var slimGeneration: Slim

  /// Makes a line.
  @inlinable @inline(__always)
  public init(t: Int, channel: Channel? = nil, generation: Int? = nil, event: TraceEvent) {
    self.t = t
    self.channel = channel
    slimGeneration = Slim(generation)
    self.event = event
  }
}
