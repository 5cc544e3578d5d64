public import GoldwireTrace

/// One action of a machine, as one line of a golden file.
///
/// Pseudonyms are their numbers, as in a trace: `e1` is 1, the empty id 0.
public struct GoldenLine: Equatable, Sendable {
  /// The instant, in the trace's unit.
  public var t: Int
  /// The channel; nil only for `end`.
  public var channel: Channel?
  /// The connection's number in its channel.
  public var generation: Int?
  /// The logical request.
  public var req: Int?
  /// The send of that request, from 1.
  public var attempt: Int?
  /// What is done.
  public var action: ActionWord
  /// A count: an event's number in its connection, or of pings in a run.
  public var n: Int?
  /// An event's id.
  public var id: Int?
  /// The cursor that is sent or committed.
  public var cursor: Int?
  /// How long is waited, in the trace's unit.
  public var wait: Int?
  /// The one cause.
  public var why: ActionWord?
  /// The peer's close code, or a status.
  public var code: Int?
  /// How firm a predicted action is.
  public var grade: Grade?

  /// Makes a line; an adapter leaves instant, channel and request to the replayer.
  public init(
    _ action: ActionWord, t: Int = 0, channel: Channel? = nil, generation: Int? = nil, req: Int? = nil,
    attempt: Int? = nil, n: Int? = nil, id: Int? = nil, cursor: Int? = nil, wait: Int? = nil,
    why: ActionWord? = nil, code: Int? = nil, grade: Grade? = nil
  ) {
    self.action = action
    self.t = t
    self.channel = channel
    self.generation = generation
    self.req = req
    self.attempt = attempt
    self.n = n
    self.id = id
    self.cursor = cursor
    self.wait = wait
    self.why = why
    self.code = code
    self.grade = grade
  }
}

extension GoldenLine {
  /// Whether both are the same action, at whatever instant and after whatever wait.
  public func isSameAction(as other: GoldenLine) -> Bool {
    var (left, right) = (self, other)
    (left.t, left.wait, right.t, right.wait) = (0, nil, 0, nil)
    return left == right
  }

  /// The canonical order: by instant, then channel, then request; equal ones keep their order.
  func precedes(_ other: GoldenLine) -> Bool {
    if t != other.t { return t < other.t }
    guard channel == other.channel else {
      guard let channel else { return false }
      guard let theirs = other.channel else { return true }
      return channel < theirs
    }
    return (req ?? 0) < (other.req ?? 0)
  }
}
