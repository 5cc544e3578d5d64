public import GoldwireMachines
public import GoldwireTap
public import GoldwireTrace

/// Drives the heartbeat of one WebSocket session over a transport.
///
/// The actor owns the machine: timers, the transport's callbacks and the app's wishes all enter here, one after the other.
/// Each callback carries the generation of its connection; each action is held against the connection that there is when
/// it is carried out. The driver does not reconnect: the app calls ``connect()`` again.
public actor HeartbeatDriver {
  /// The connection that there is.
  struct Live {
    let link: HeartbeatLink
    let connection: any WebSocketConnection
    /// The ordinal of the ping that has not been completed.
    var awaited: Int?
    var closeCode: WebSocketCloseCode = .normal
    var refusal: WebSocketRefusal?
  }

  /// An instant at which the machine of a generation wants to be woken.
  struct Alarm: Equatable {
    let generation: Int
    let instant: Int
  }

  /// What the driver tells the app; one loop should take it.
  public nonisolated let events: HeartbeatEvents
  /// The limits in force.
  public nonisolated let limits: HeartbeatLimits

  let transport: any WebSocketTransport
  let clock: any DriverClock
  /// Where the app's changes are written, by the one driver that does so.
  let appTap: Tap?
  let tap: SocketTap?
  let log: (@Sendable (HeartbeatLog) -> Void)?
  let mailbox: HeartbeatMailbox
  let queue: HeartbeatEventQueue

  var machine: Heartbeat
  var live: Live?
  /// The latest instant that the machine was given; it never goes back.
  var last = TapInstant(microseconds: .min)
  var timer: Task<Void, Never>?
  /// What the timer was set for.
  var armed: Alarm?
  var sends: [Int: PendingSend] = [:]
  var sendCount = 0

  /// Makes a driver without a connection.
  ///
  /// - Parameters:
  ///   - parameters: they count in microseconds.
  ///   - transport: makes the connections.
  ///   - clock: must be monotonic and count sleep.
  ///   - tap: records each input, action and tick, as a channel of its own.
  ///   - writesApp: whether the driver writes to the tap what it is told of the app and the network; false where another
  ///     does, so that each change stands in the trace once.
  ///   - limits: how much may wait.
  ///   - log: is called within the driver's isolation, and must return soon.
  public init(
    _ parameters: Heartbeat.Parameters, transport: any WebSocketTransport,
    clock: any DriverClock = ContinuousDriverClock(), tap: Tap? = nil, writesApp: Bool = true,
    limits: HeartbeatLimits = HeartbeatLimits(), log: (@Sendable (HeartbeatLog) -> Void)? = nil
  ) {
    machine = Heartbeat(parameters)
    self.transport = transport
    self.clock = clock
    self.tap = tap?.socket()
    appTap = writesApp ? tap : nil
    self.limits = limits
    self.log = log
    mailbox = HeartbeatMailbox(clock, limits)
    queue = HeartbeatEventQueue(limits)
    events = HeartbeatEvents(queue: queue)
  }

  deinit {
    timer?.cancel()
    live?.connection.cancel()
    mailbox.close()
    queue.finish()
  }

  /// The number of the latest connection; 0 before the first.
  public var generation: Int { machine.generation }

  /// Where that connection stands.
  public var phase: Heartbeat.Phase { machine.phase }
}

// MARK: - What the app wants

extension HeartbeatDriver {
  /// Makes a new connection, retires the one before, and returns the new generation.
  @discardableResult
  public func connect() -> Int {
    takeMail()
    let now = instant()
    let generation = machine.generation == .max ? machine.generation : machine.generation + 1
    let link = HeartbeatLink(generation: generation, tap: tap?.connect(at: now))
    give(.connect(generation), as: .connect, of: generation, at: now)
    live = Live(link: link, connection: transport.connect(inbox(for: link)))
    settle(now)
    return generation
  }

  /// Closes the connection with a code; nothing more is told of it but its end.
  ///
  /// With a `generation` only if that is still the present one.
  public func close(_ code: WebSocketCloseCode = .normal, generation: Int? = nil) {
    takeMail()
    if let generation, generation != machine.generation { return }
    let now = instant()
    closeByUser(code, at: now)
    settle(now)
  }

  /// The app went to the background: the timer stops, since nothing promises that it would fire.
  public func background() {
    takeMail()
    let now = instant()
    tell(.background, at: now)
    give(.background, as: .background, of: machine.generation, at: now)
    settle(now)
  }

  /// The app came to the foreground: the connection is judged at once, and the answer says what is left of it.
  public func foreground() -> HeartbeatResumption {
    takeMail()
    let now = instant()
    tell(.foreground, at: now)
    give(.foreground, as: .foreground, of: machine.generation, at: now)
    settle(now)
    switch machine.phase {
    case .idle: return .makeAnew
    case .connecting: return .wait
    case .open: return .reuse
    }
  }

  /// The network changed: an open connection on which nothing is awaited is probed at once, if there is a network.
  public func network(_ network: Network) {
    takeMail()
    let now = instant()
    tell(.network(network), at: now)
    give(.network(available: network != .none), as: .network, of: machine.generation, at: now)
    settle(now)
  }
}
