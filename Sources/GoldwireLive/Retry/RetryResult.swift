public import GoldwireMachines
public import GoldwireProtocols
public import GoldwireTap

/// How a logical request ended, with its last reply where there is one.
public struct RetryResult: Sendable {
  /// The one outcome; never `cancelled`, which the caller gets as `CancellationError`.
  public var outcome: Retry.Outcome
  /// The last reply; nil after a failure without one, and for what is stale, which is dropped.
  public var reply: HTTPReply?
  /// How often the request was sent.
  public var sends: Int
  /// After `deferred`: the instant before which nothing may be sent; nil where it is further than can be told.
  public var notBefore: TapInstant?

  /// Makes a result.
  public init(_ outcome: Retry.Outcome, reply: HTTPReply? = nil, sends: Int, notBefore: TapInstant? = nil) {
    self.outcome = outcome
    self.reply = reply
    self.sends = sends
    self.notBefore = notBefore
  }
}

/// The session was over before a body was whole: nothing of it may reach the app's state.
public struct StaleSession: Error, Equatable, Sendable {
  /// Makes the error.
  public init() {}
}

/// A logical request was sent while it was under way already, outside of its own attempt.
public struct AlreadyUnderWay: Error, Equatable, Sendable {
  /// Makes the error.
  public init() {}
}

/// What a retry executor logs: numbers and words of closed sets, nothing of a request or a reply.
public struct RetryRecord: Equatable, Sendable {
  /// The number of the logical request.
  public var request: Int
  /// The status of the reply; nil where there was none.
  public var status: Int?
  /// How many retries were made so far.
  public var retryIndex: Int
  /// The wait until the next send, where there is to be one.
  public var plannedDelay: Duration?
  /// Why no more is sent, once that is so.
  public var stop: Retry.Outcome?
  /// Why `Retry-After` could not be used, where it was there.
  public var retryAfterFault: RetryAfter.Reason?

  /// Makes a record, to compare with.
  public init(
    request: Int, status: Int? = nil, retryIndex: Int, plannedDelay: Duration? = nil,
    stop: Retry.Outcome? = nil,
    retryAfterFault: RetryAfter.Reason? = nil
  ) {
    self.request = request
    self.status = status
    self.retryIndex = retryIndex
    self.plannedDelay = plannedDelay
    self.stop = stop
    self.retryAfterFault = retryAfterFault
  }
}
