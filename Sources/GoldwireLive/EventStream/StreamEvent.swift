public import GoldwireMachines

/// One event of a stream, as its handler gets it.
public struct StreamEvent: Sendable {
  /// The id of the stream up to here, as `Last-Event-ID` will carry it; empty where there is none.
  public let lastEventID: String
  /// The id stands in this event itself, and was not carried over from one before.
  public let hasID: Bool
  /// The type; `message` where the event names none.
  public let type: String
  /// The data as it came, with one LF between its lines.
  public let bytes: [UInt8]
  /// The data was longer than the limit, and is cut.
  public let isCut: Bool

  /// The data as text, with U+FFFD for what is not UTF-8.
  public var data: String { String(decoding: bytes, as: UTF8.self) }
}

/// How an event stream ended by itself.
public enum StreamEnd: Equatable, Sendable {
  /// It stopped for good, for this reason.
  case stopped(EventStream.Stop)
  /// The app's session changed.
  case stale
}

/// What an event-stream reader logs of an event: its pseudonym, what came of it, and the cursor after it, together.
public struct StreamRecord: Equatable, Sendable {
  /// What came of an event.
  public enum Result: String, Sendable, CaseIterable {
    /// Its handler succeeded, and its effect is kept.
    case handled
    /// Its handler failed; nothing is kept.
    case failed
    /// Its effect was there already.
    case known
    /// Its effect was there already, of other content: some servers begin to count anew.
    case conflict
  }

  /// The number of the connection.
  public var generation: Int
  /// The number of the event in it.
  public var n: Int
  /// The pseudonym of the id that stands in the event; nil without one.
  public var event: Int?
  /// What came of it.
  public var result: Result
  /// The pseudonym of the cursor after it; 0 for none.
  public var cursor: Int

  /// Makes a record, to compare with.
  public init(generation: Int, n: Int, event: Int?, result: Result, cursor: Int) {
    self.generation = generation
    self.n = n
    self.event = event
    self.result = result
    self.cursor = cursor
  }
}
