public import GoldwireReplay

/// One thing that a client does, or that befalls it: as it was, or as it was predicted.
public struct Step: Equatable, Sendable {
  /// What it is.
  public enum Kind: String, CaseIterable, Sendable {
    // Of a WebSocket session.
    case connect, open, ping, answer, end
    // Of a request.
    case send, stop
    // Of an event stream, beside `connect` and `stop`.
    case deliver, commit

    /// Whether a report has it: what a client meets is no action of it.
    public var isReported: Bool { self != .connect && self != .open && self != .answer }
  }

  /// What a step is in any run under the same script, whatever the instant.
  public struct Key: Hashable, Sendable {
    /// What it is.
    public var kind: Kind
    /// The session (a connection that opened) or the logical request.
    public var session: Int
    /// The attempt to open it, the number of the ping, the attempt of the request, the event's number.
    public var ordinal: Int
    /// Whether the connection never opened.
    public var hasFailed: Bool

    /// Makes a key.
    public init(_ kind: Kind, session: Int, ordinal: Int = 0, hasFailed: Bool = false) {
      self.kind = kind
      self.session = session
      self.ordinal = ordinal
      self.hasFailed = hasFailed
    }
  }

  /// What it is.
  public var key: Key
  /// When it happens, in microseconds.
  public var t: Int
  /// The first instant that a prediction allows for.
  public var earliest: Int
  /// The last one.
  public var latest: Int
  /// Why, of an end or a stop.
  public var cause: String?
  /// How firm a prediction is of it; nil of what was, and of a comparator's.
  public var grade: Grade?
  /// How firm a prediction is of it alone, whatever came before.
  public var proof: Grade?

  /// Makes a step.
  public init(
    _ key: Key, t: Int, earliest: Int? = nil, latest: Int? = nil, cause: String? = nil, grade: Grade? = nil,
    proof: Grade? = nil
  ) {
    self.key = key
    self.t = t
    self.earliest = earliest ?? t
    self.latest = latest ?? t
    self.cause = cause
    self.grade = grade
    self.proof = proof
  }
}

/// The end of a session as a prediction has it, whatever sessions came before.
public struct PredictedEnd: Equatable, Sendable {
  /// When it comes at the earliest.
  public var earliest: Int
  /// When it comes at the latest.
  public var latest: Int
  /// Why.
  public var cause: String
  /// Every world has it.
  public var isFirm: Bool
  /// The grade of its weakest cause.
  public var grade: Grade

  /// Makes an end.
  public init(earliest: Int, latest: Int, cause: String, isFirm: Bool, grade: Grade) {
    self.earliest = earliest
    self.latest = latest
    self.cause = cause
    self.isFirm = isFirm
    self.grade = grade
  }
}
