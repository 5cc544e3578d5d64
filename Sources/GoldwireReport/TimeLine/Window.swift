package import GoldwireTrace

/// The part of a trace that is asked for: some channels, a span of time.
package struct Window: Sendable {
  private let channels: Set<Channel>
  private let from: Int
  private let to: Int

  /// Makes a window; no channels are all channels, and lines without a channel are in each.
  package init(channels: [Channel], from: TimeSpan?, to: TimeSpan?, unit: Unit) {
    self.channels = Set(channels)
    self.from = from.map { Self.instant($0, unit, roundingUp: true) } ?? 0
    self.to = to.map { Self.instant($0, unit, roundingUp: false) } ?? .max
  }

  /// The instants from the first to the last; nil where none of the trace's unit lies between them.
  package var span: ClosedRange<Int>? { from <= to ? from...to : nil }

  /// Whether the line is of these channels, at any instant.
  package func concerns(_ line: TraceLine) -> Bool {
    guard !channels.isEmpty, let channel = line.channel else { return true }
    return channels.contains(channel)
  }

  /// Whether the line stands before the span.
  package func isBefore(_ line: TraceLine) -> Bool { line.t < from }

  /// Whether the line stands after the span.
  package func isPast(_ line: TraceLine) -> Bool { line.t > to }

  /// Whether an action at this instant, on this channel, is in it.
  package func contains(t: Int, channel: Channel?) -> Bool {
    t >= from && t <= to && (channel.map { channels.isEmpty || channels.contains($0) } ?? true)
  }

  private static func instant(_ span: TimeSpan, _ unit: Unit, roundingUp: Bool) -> Int {
    guard unit == .ms else { return span.microseconds }
    let (quotient, rest) = span.microseconds.quotientAndRemainder(dividingBy: 1_000)
    return roundingUp && rest > 0 ? quotient + 1 : quotient
  }
}
