extension Retry {
  /// What a trace or a driver tells the machine.
  public enum Event: Equatable, Sendable {
    /// The app's session has this number now: raised at login, logout and change of account.
    case session(Int)
    /// The first send of the logical request; what it is made of is frozen here.
    case start(Request)
    /// In step again with a pending wait: this attempt is due at `until`.
    case resume(Request, attempt: Int, until: Int)
    /// The final answer to an attempt; interim ones are ignored.
    case answered(Int, Answer)
    /// An answer that the transport follows by itself: a redirect, a renewed login. It costs nothing.
    case hop(Int)
    /// An attempt turned out to carry another body or key than the first.
    case changed(Int)
    /// An attempt failed without an answer.
    case failed(Int, Failure)
    /// The caller does not want the request any more.
    case cancel
  }

  /// The failure of an attempt that got no answer.
  public struct Failure: Equatable, Sendable {
    /// What failed.
    public var cause: TransportCause
    /// Body bytes had reached the caller already.
    public var bodyBegun: Bool
    /// The random unit for a wait that may follow, in millionths, from 0 to 1,000,000.
    public var unit: Int

    /// Makes a failure.
    public init(_ cause: TransportCause, bodyBegun: Bool = false, unit: Int = 1_000_000) {
      self.cause = cause
      self.bodyBegun = bodyBegun
      self.unit = unit
    }
  }

  /// How a logical request ended.
  public enum Outcome: Equatable, Sendable {
    /// A status below 400.
    case delivered
    /// A status that is not retried.
    case notRetryable
    /// A status of 400 or more, of a request that may be sent only once.
    case notReplayable
    /// All retries are used up.
    case budget
    /// The wait asked for is longer than the cap.
    case deferred
    /// The caller cancelled it; not a failure.
    case cancelled
    /// The app's session changed meanwhile.
    case stale
    /// The last attempt failed without an answer.
    case transport(TransportCause)

    /// The word that goldens use.
    public var word: String {
      switch self {
      case .delivered: "delivered"
      case .notRetryable: "notRetryable"
      case .notReplayable: "notReplayable"
      case .budget: "budget"
      case .deferred: "deferred"
      case .cancelled: "cancelled"
      case .stale: "stale"
      case .transport: "transport"
      }
    }
  }

  /// Why an attempt failed; the raw value is the word that traces use.
  public enum TransportCause: String, Sendable, CaseIterable {
    /// The peer refused the connection.
    case refused
    /// The peer could not be reached.
    case unreach
    /// The transport gave up waiting.
    case timeout
    /// The connection was reset.
    case reset
    /// The connection was closed.
    case fin
    /// The name could not be resolved.
    case dns
    /// The secure connection could not be made.
    case tls
    /// The status made the transport fail.
    case status
    /// A proxy failed.
    case proxy
    /// The peer broke the protocol.
    case `protocol`
    /// Anything else.
    case other
  }
}
