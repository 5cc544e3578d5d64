/// A resumable event stream: what is delivered, what is committed, when to connect again.
///
///     idle ──connect──► connecting ──opened──► open
///                           ▲                   │  end of stream, error, idle, failed handler
///                           └──tick── waiting ◄─┘
///     … and from everywhere to stopped, for good.
///
/// The cursor follows the order of the stream, and moves only past events whose handlers have succeeded.
/// Ids and cursors are numbers: the pseudonyms of a trace, or those of an ``EventIDTable`` in a live
/// client. 0 is the empty id, which as a cursor means that no `Last-Event-ID` is sent.
public struct EventStream: Sendable {
  /// Where the stream stands.
  public enum Phase: Sendable {
    /// Not connected yet. Left by the first connect, or by a cancellation.
    case idle
    /// A request is under way. Left by its answer, by a cut, or by a cancellation.
    case connecting
    /// Blocks arrive. Left by a cut, the idle timeout, a failed handler, or a cancellation.
    case open
    /// The delay before the next request runs. Left by a tick, or by a cancellation.
    case waiting
    /// Stopped for good; nothing changes any more.
    case stopped
  }

  /// What the caller is asked to do.
  public enum Action: Equatable, Sendable {
    /// Connect with this cursor as `Last-Event-ID`; without that field for 0.
    case connect(cursor: Int)
    /// Hand this event of the connection to its handler.
    case deliver(Int)
    /// Leave this event of the connection out: its effect is there already.
    case skip(Int)
    /// Store this cursor, in one transaction with the effects before it.
    case commit(cursor: Int)
    /// Connect no more.
    case stop(Stop)
    /// Nothing to do; worth knowing.
    case note(Note)
  }

  /// Why a stream stops for good; the raw value is the word that goldens use.
  public enum Stop: String, Sendable, CaseIterable {
    /// The server answered 204.
    case noContent
    /// The server answered another status than 200.
    case status
    /// The answer is no event stream.
    case type
    /// The handler of one event failed too often.
    case failures
    /// The reader was cancelled.
    case cancelled
  }

  /// What is worth knowing; the raw value is the word that goldens use.
  public enum Note: String, Sendable, CaseIterable {
    /// An id came again with other content.
    case conflict
    /// The window is full: from now on the oldest ids are forgotten.
    case idForgot
    /// Too many events wait for their handlers; the connection is given up.
    case limit
  }

  /// What bounds the memory of a stream beside its window.
  public enum Limits {
    /// The events that may wait for their handlers; one more gives the connection up.
    public static let pending = 65_536
  }

  /// The parameters that the machine was made with.
  public let parameters: Parameters

  var state = Phase.idle
  var connection = 0
  /// The end of the delay while waiting, or of the silence allowed while open.
  var due: Int?
  /// Handlers of this connection that run; a reader that waits for one reads nothing, so that silence is not the server's.
  var handling = 0
  var delay: Int
  var cursor: Int
  /// The id of the stream so far: what an event without one of its own carries.
  var carried = 0
  var queue = EventQueue()
  /// Events of older connections whose handlers still run.
  var older: [OlderEvent] = []
  /// The effects whose handlers run; their ids are not delivered a second time meanwhile.
  var running: Set<EffectWindow.Effect> = []
  var window: EffectWindow
  var failures = 0
  var failedID: Int?
  var hasCommitted = false
  var refusals = 0
  var reason: Stop?

  /// Makes a stream that starts from a stored cursor, the ids whose effects are known, and a `retry` field.
  public init(
    _ parameters: Parameters, cursor: Int = 0, window: EffectWindow? = nil, retryMilliseconds: Int? = nil
  ) {
    self.parameters = parameters
    self.cursor = cursor
    self.delay = retryMilliseconds.map(parameters.delay(retryMilliseconds:)) ?? parameters.delay
    self.window = window ?? EffectWindow(capacity: parameters.window)
  }
}

// MARK: - What can be read

extension EventStream {
  /// Where the stream stands.
  public var phase: Phase { state }
  /// The number of the latest connection; 0 before the first.
  public var generation: Int { connection }
  /// The cursor committed last; 0 for none.
  public var committed: Int { cursor }
  /// The delay before the next connection, in the machine's unit.
  public var reconnectDelay: Int { delay }
  /// Why the stream has stopped, once it has.
  public var stop: Stop? { reason }
  /// The ids whose effects are known.
  public var effects: EffectWindow { window }
  /// How many events wait for their handlers, or for others before them.
  public var pendingCount: Int { queue.count + older.count }

  /// The next instant at which a tick can act; nil while only an event can change anything.
  public var wakeup: Int? {
    switch state {
    case .waiting: due
    case .open: handling > 0 ? nil : due
    case .idle, .connecting, .stopped: nil
    }
  }
}
