public import GoldwireMachines
public import GoldwireTrace

/// Records one connection of an event stream.
///
/// Ids and cursors are the numbers that `EventIDTable` gave, and events those that the reader counts in the connection:
/// only drivers of this package have them. Each call takes nanoseconds: it never blocks, allocates or throws.
public struct StreamGeneration: Sendable {
  let channel: TapChannel
  /// The generation's number in the trace, from 1.
  package let number: Int

  /// The request was answered; a status outside 100 to 599 is left out, and noted.
  public func opened(_ answer: Answer, type: MediaType?, at instant: TapInstant = .now) {
    let bits = AnswerBits(answer, type: type)
    channel.record(
      .sseOpen, number, b: bits.facts, c: bits.value, d: bits.date, e: bits.age, at: instant)
  }

  /// A block with data was dispatched, of so many bytes of data.
  package func event(_ block: EventStream.Block, bytes: Int, at instant: TapInstant = .now) {
    channel.record(
      .sseEvent, number, a: UInt64(clamping: block.n), b: Bits.optional(block.id),
      c: UInt64(clamping: block.revision),
      d: UInt64(clamping: bytes), at: instant)
  }

  /// A block with an id and no data ended.
  package func id(_ id: Int, at instant: TapInstant = .now) {
    channel.record(.sseID, number, a: UInt64(clamping: id), at: instant)
  }

  /// A comment came.
  public func comment(at instant: TapInstant = .now) { channel.record(.sseComment, number, at: instant) }

  /// A `retry` field of so many milliseconds took effect; more than 2^31 − 1 is written as that.
  package func retry(milliseconds: Int, at instant: TapInstant = .now) {
    channel.record(.sseRetry, number, a: UInt64(clamping: milliseconds), at: instant)
  }

  /// The handler of this event ended.
  package func handled(n: Int, succeeded: Bool, at instant: TapInstant = .now) {
    channel.record(.sseHandled, number, a: UInt64(clamping: n), b: succeeded ? 1 : 0, at: instant)
  }

  /// The request failed or the stream ended, with so many bytes of an unfinished block.
  public func cut(_ cause: CutCause, _ direction: Direction, partial: Int = 0, at instant: TapInstant = .now)
  {
    channel.record(
      .sseCut, number, a: cause.code | direction.code << 8, b: UInt64(clamping: partial), at: instant)
  }

  /// A note for people: that an id was forgotten and came back as new, say.
  package func note(_ note: Note, at instant: TapInstant = .now) {
    channel.record(.recNote, number, a: note.code, at: instant)
  }

  /// The timer that was made for this connection ran.
  public func tick(at instant: TapInstant = .now) { channel.record(.recTick, number, at: instant) }
}
