/// The heartbeat of one WebSocket session: when to ping, and when to give a connection up.
///
/// Each transport connection is a *generation*. Callbacks carry the generation that was captured
/// when their connection was created; whatever comes from an older one changes nothing. The machine
/// does not reconnect: its caller does, and calls ``connect()`` for it.
///
///     idle ──connect──► connecting ──opened──► open ──tick──► ping … pong, ping … pong
///       ▲                   │                    │
///       └───── close or ended, with one cause ───┘
///
/// A method that gives an action back gives at most one. The cause of a `close` or `ended` and the
/// number of a `ping` are read beside it: ``cause``, ``code``, ``pingID``.
public struct Heartbeat: Sendable, Equatable {
  /// Where the current generation stands.
  public enum Phase: Sendable {
    /// No connection: none was made yet, or the last one has ended. Left by ``Heartbeat/connect()``.
    case idle
    /// A connection is being made. Left by opening, by an end, or by the connect timeout.
    case connecting
    /// The connection is open. Left by an end, or by a pong that does not come.
    case open
  }

  /// What the caller is asked to do; the number is the generation that it is for.
  public enum Action: Equatable, Sendable {
    /// Send a ping, if that generation is still the current one.
    case ping(Int)
    /// Close the connection, if that generation is still the current one.
    case close(Int)
    /// Nothing to do: that generation has ended by itself.
    case ended(Int)
  }

  /// The end of a generation.
  public struct End: Equatable, Sendable {
    /// The generation that ended.
    public let generation: Int
    /// The one cause of its end.
    public let cause: Cause
    /// The close code that the peer gave, where it gave one.
    public let code: Int?

    @inlinable
    init(generation: Int, cause: Cause, code: Int?) {
      self.generation = generation
      self.cause = cause
      self.code = code
    }
  }

  /// The parameters that the machine was made with.
  public let parameters: Parameters

  @usableFromInline var current = 0
  @usableFromInline var state = Phase.idle
  @usableFromInline var inBackground = false
  /// A ping is unanswered.
  @usableFromInline var awaiting = false
  /// The completion of the latest ping has been counted.
  @usableFromInline var completed = false
  /// Of the pong while `awaiting`, of the handshake while connecting; nil if beyond the clock's range.
  @usableFromInline var deadline: Int?
  /// When the next ping is due; nil if beyond the clock's range.
  @usableFromInline var nextPing: Int?
  @usableFromInline var pings = 0
  @usableFromInline var end: End?

  /// Makes a heartbeat with checked parameters.
  @inlinable
  public init(_ parameters: Parameters) { self.parameters = parameters }

  /// Makes a heartbeat that pings an interval after opening and after each pong.
  ///
  /// Both spans are in the machine's unit and must be positive.
  public init(interval: Int, timeout: Int) {
    precondition(interval > 0, "The interval of a heartbeat must be positive.")
    precondition(timeout > 0, "The timeout of a heartbeat must be positive.")
    self.init(Parameters(trustedInterval: interval, timeout: timeout))
  }
}

// MARK: - What can be read

extension Heartbeat {
  /// The number of the latest connection; 0 before the first.
  @inlinable public var generation: Int { current }
  /// Where that connection stands.
  @inlinable public var phase: Phase { state }
  /// The span from opening, or from a pong, to the next ping.
  @inlinable public var interval: Int { parameters.interval }
  /// The span from a ping to the instant at which its pong is late.
  @inlinable public var timeout: Int { parameters.timeout }
  /// A ping of the current generation is unanswered.
  @inlinable public var isAwaitingPong: Bool { awaiting }
  /// The app is in the background: the machine asks for no wake-ups.
  @inlinable public var isInBackground: Bool { inBackground }
  /// The latest end of a generation, if one has ended yet.
  @inlinable public var lastEnd: End? { end }
  /// The cause of the latest `close` or `ended`.
  @inlinable public var cause: Cause? { end?.cause }
  /// The close code of the latest `ended`, where its peer gave one.
  @inlinable public var code: Int? { end?.code }
  /// The ordinal in its generation, from 1, of the latest ping; nil before the first.
  @inlinable public var pingID: Int? { pings > 0 ? pings : nil }

  /// The next instant at which a tick can act; nil while only an event can change anything.
  @inlinable
  public var wakeup: Int? {
    if inBackground { return nil }
    switch state {
    case .idle: return nil
    case .connecting: return deadline
    case .open: return awaiting ? deadline : nextPing
    }
  }
}
