/// The retries of one logical request: when it may be sent again, and how it ends.
///
/// A machine is made for each logical request and holds its one budget, whatever layers, redirects
/// and renewed logins it passes through.
///
///     idle ──start──► sending ──answered, failed──► waiting ──tick──► sending …
///                        │                             │
///                        └────────────► done ◄─────────┘   with exactly one outcome
///
/// Sends are numbered from 1; the first is the caller's own and is not emitted. Between a driver's last
/// check and the bytes a race remains: `cancelled` and `transport` leave open whether the request
/// reached the server.
public struct Retry: Sendable, Equatable {
  /// Where the logical request stands.
  public enum Phase: Sendable {
    /// Not sent yet. Left by the start, or by a cancellation.
    case idle
    /// An attempt is under way. Left by its answer or failure, or by a cancellation.
    case sending
    /// The next attempt waits for its instant. Left by a tick, or by a cancellation.
    case waiting
    /// The outcome stands; nothing changes any more.
    case done
  }

  /// What the caller is asked to do.
  public enum Action: Equatable, Sendable {
    /// Send this attempt now, unless the machine is done by then.
    case send(Int)
    /// Nothing for so long, in the machine's unit: then this attempt is due.
    case wait(for: Int, attempt: Int)
    /// Hand over the outcome, with the latest answer where there is one.
    case stop(Outcome)
  }

  /// The parameters that the machine was made with.
  public let parameters: Parameters

  @usableFromInline var state = Phase.idle
  @usableFromInline var current = 1
  @usableFromInline var until: Int?
  @usableFromInline var mayReplay = false
  @usableFromInline var session: Int?
  @usableFromInline var isStale = false
  @usableFromInline var result: Outcome?
  @usableFromInline var earliest: Int?
  @usableFromInline var reading = ServerDelay.absent

  /// Makes the machine of one logical request.
  public init(_ parameters: Parameters) { self.parameters = parameters }
}

// MARK: - What can be read

extension Retry {
  /// Where the logical request stands.
  public var phase: Phase { state }
  /// The number of the latest send, or of the coming one while waiting.
  public var attempt: Int { current }
  /// The one outcome, once there is one.
  public var outcome: Outcome? { result }
  /// After `deferred`: the instant before which nothing may be sent, for delays that can be told.
  public var notBefore: Int? { earliest }
  /// What the latest answer said about waiting, with the reason where it is invalid.
  public var serverDelay: ServerDelay { reading }
  /// The request may be sent more than once.
  public var isReplayable: Bool { mayReplay }

  /// The end of the wait; nil while only an event can change anything.
  @inlinable
  public var wakeup: Int? { state == .waiting ? until : nil }
}
