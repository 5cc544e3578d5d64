internal import Dispatch
public import GoldwireTrace
internal import Synchronization

/// A recorder inside the app: writes what its network clients do as a trace, without anything of a payload.
///
/// ```swift
/// let tap = try Tap(writingTo: path)
/// let chat = tap.socket()
/// let connection = chat.connect()
/// connection.opened()
/// …
/// tap.finish()
/// ```
///
/// Recording an event takes nanoseconds and never blocks, allocates or throws: it goes into a ring, from which a thread of
/// the system's writes it within a quarter of a second. What finds the ring full is counted, and the trace tells how much
/// was lost and where. Nothing that an app could put a secret into is asked for: events are calls, names are numbers that
/// the tap gives.
public final class Tap: Sendable {
  let keeper: TapKeeper
  private let all: TapChannel
  private let beat: TapBeat?
  private let numbers = TapNumbers()

  /// Records into a file that is made anew, with mode 0600; compressed where its name ends in `.gz`.
  ///
  /// `parameters` are those that the clients run with, `blind` what their transports cannot see. A file that reaches
  /// `mostBytes` ends there. Throws where the file cannot be made or written.
  public convenience init(
    writingTo path: String, parameters: TapParameters = TapParameters(), blind: [Blind] = [],
    mostBytes: Int = 268_435_456
  ) throws(FileError) {
    try self.init(
      .file(path, mostBytes: mostBytes), parameters: parameters, blind: blind, clocks: .now, isBeating: true)
  }

  /// Records into a test's own hands, at its own instants; ``drain(at:)`` and ``beat(_:)`` are the test's to call.
  package convenience init(
    sendingTo send: @escaping @Sendable (Span<UInt8>) throws(FileError) -> Void,
    parameters: TapParameters = TapParameters(),
    blind: [Blind] = [], mostBytes: Int = 268_435_456, clocks: TapClocks
  ) throws(FileError) {
    try self.init(
      .hand(send, mostBytes: mostBytes), parameters: parameters, blind: blind, clocks: clocks,
      isBeating: false)
  }

  private init(
    _ target: TapTarget, parameters: TapParameters, blind: [Blind], clocks: TapClocks, isBeating: Bool
  ) throws(FileError) {
    let clock = TapClock(start: clocks.continuous, wall: WallClock(beginning: clocks.wall))
    let table = parameters.table
    let header = TraceHeader(
      tool: "goldwire " + TraceHeader.release, source: .tap, unit: .us, clock: .continuous,
      wall: clock.wall.wall,
      at: .client, blind: blind, inForce: table, inForceBy: table == nil ? nil : .driver)
    let beat = isBeating ? TapBeat() : nil
    let door = TapDoor { beat?.wake() }
    let watch = PauseWatch(beat: TapBeat.interval, clocks)
    keeper = try TapKeeper(door: door, clock: clock, watch: watch, target: target, header: header)
    all = TapChannel(ofAll: door)
    keeper.add(all)
    self.beat = beat
    beat?.start(keeper)
  }

  deinit { finish() }

  // MARK: Channels

  /// A WebSocket session, over all its connections.
  public func socket() -> SocketTap { SocketTap(channel: channel(.ws, numbers.sockets.next())) }

  /// An HTTP origin.
  public func origin() -> OriginTap { OriginTap(channel: channel(.http, numbers.origins.next())) }

  /// An event stream, over all its connections.
  public func stream() -> StreamTap {
    let number = numbers.streams.next()
    return StreamTap(channel: channel(.sse, number), number: number)
  }

  /// A pseudonym for an idempotency key: one for each key, used for every attempt that carries it.
  public func key() -> TapKey { TapKey(number: numbers.keys.next()) }

  private func channel(_ family: Channel.Family, _ number: Int) -> TapChannel {
    let channel = TapChannel(family, number, door: keeper.door)
    keeper.add(channel)
    return channel
  }

  // MARK: The app

  /// The app or its device changed.
  public func app(_ change: AppChange, at instant: TapInstant = .now) {
    switch change {
    case .background: all.record(.appBackground, 0, at: instant)
    case .foreground: all.record(.appForeground, 0, at: instant)
    case .network(let network): all.record(.appNetwork, 0, a: network.code, at: instant)
    }
  }

  /// The app's session changed, at login, logout or a change of account: the next number, from 1.
  ///
  /// Gives the number, for the machines.
  @discardableResult
  public func session(at instant: TapInstant = .now) -> Int {
    let number = all.next()
    all.record(.appSession, 0, a: UInt64(clamping: number), at: instant)
    return number
  }

  // MARK: The file

  /// Writes all that was recorded so far; a killed app loses nothing of it.
  public func flush() { keeper.drain(at: .now, all: true) }

  /// Ends the recording with its last line; what is recorded later is dropped.
  public func finish() {
    beat?.stop()
    keeper.finish(at: .now, why: .stopped)
  }

  /// Why nothing more can be written, where the disk is full, say; recording goes on without effect.
  public var failure: FileError? { keeper.failure }

  /// Hands on what was recorded, all of it or up to what is held back.
  package func drain(at instant: TapInstant, all: Bool = true) { keeper.drain(at: instant, all: all) }

  /// Does what the recorder's own beat does.
  package func beat(_ clocks: TapClocks) { keeper.beat(clocks) }

  /// Ends the recording at an instant of a test's own.
  package func finish(at instant: TapInstant) { keeper.finish(at: instant, why: .stopped) }
}

/// The numbers that a tap gave last.
final class TapNumbers: Sendable {
  /// Numbers from 1.
  struct Counter: ~Copyable, Sendable {
    private let last = Atomic<Int>(0)
    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
  }

  let sockets = Counter()
  let origins = Counter()
  let streams = Counter()
  let keys = Counter()
}
