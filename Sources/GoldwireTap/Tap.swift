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
/// Or it is a *flight recorder*, see ``flightRecorder(keeping:dumps:parameters:blind:startingAt:)``: it keeps the last
/// minutes in memory, and writes them when asked or when a trigger fires.
///
/// Recording an event takes nanoseconds and never blocks, allocates or throws: it goes into a ring, from which a thread of
/// the system's writes it within a quarter of a second. What finds the ring full is counted, and the trace tells how much
/// was lost and where. Nothing that an app could put a secret into is asked for: events are calls, names are numbers that
/// the tap gives.
public final class Tap: Sendable {
  let keeper: TapKeeper
  private let all: TapChannel
  private let beat: TapBeat?
  private let isRegular: Bool
  private let numbers = TapNumbers()

  /// Records into a file that is made anew, with mode 0600; compressed where its name ends in `.gz`.
  ///
  /// `parameters` are those that the clients run with, `blind` what their transports cannot see. A file that reaches
  /// `mostBytes` ends there. With a clock of its own, say one that a test moves, `instant` is its present one; then
  /// pauses are not looked for. Throws where the file cannot be made or written.
  public convenience init(
    writingTo path: String, parameters: TapParameters = TapParameters(), blind: [Blind] = [],
    mostBytes: Int = 268_435_456, startingAt instant: TapInstant? = nil
  ) throws(FileError) {
    try self.init(
      .file(path, mostBytes: mostBytes), parameters, blind, clocks: .beginning(at: instant),
      beat: instant == nil ? .regular : .onCall)
  }

  /// A flight recorder: keeps the last lines in memory, and writes them when asked or when a trigger fires.
  ///
  /// A dump begins with what the machines of living channels need from before, so that it replays by itself.
  /// `parameters`, `blind` and `instant` are as for a file.
  public static func flightRecorder(
    keeping limits: FlightLimits = FlightLimits(), dumps: FlightDumps? = nil,
    parameters: TapParameters = TapParameters(), blind: [Blind] = [], startingAt instant: TapInstant? = nil
  ) -> Tap {
    Tap(
      limits, dumps, parameters, blind, clocks: .beginning(at: instant),
      beat: instant == nil ? .regular : .onCall)
  }

  /// Records into a test's own hands, at its own instants; ``drain(at:)`` and ``beat(_:)`` are the test's to call.
  package convenience init(
    sendingTo send: @escaping @Sendable (Span<UInt8>) throws(FileError) -> Void,
    parameters: TapParameters = TapParameters(),
    blind: [Blind] = [], mostBytes: Int = 268_435_456, clocks: TapClocks
  ) throws(FileError) {
    try self.init(.hand(send, mostBytes: mostBytes), parameters, blind, clocks: clocks, beat: .none)
  }

  /// Makes a flight recorder at a test's own clocks; ``drain(at:all:)`` and ``beat(_:)`` are the test's to call.
  package convenience init(
    _ limits: FlightLimits, dumps: FlightDumps? = nil, parameters: TapParameters = TapParameters(),
    blind: [Blind] = [], clocks: TapClocks
  ) {
    self.init(limits, dumps, parameters, blind, clocks: clocks, beat: .none)
  }

  private init(
    _ limits: FlightLimits, _ dumps: FlightDumps?, _ parameters: TapParameters, _ blind: [Blind],
    clocks: TapClocks,
    beat: TapBeat.Kind
  ) {
    let parts = TapParts(parameters, blind, clocks, beat)
    keeper = TapKeeper(parts, flight: limits, dumps)
    all = TapChannel(ofAll: parts.door)
    self.beat = parts.beat
    isRegular = beat == .regular
    begin(beat)
  }

  private init(
    _ target: TapTarget, _ parameters: TapParameters, _ blind: [Blind], clocks: TapClocks, beat: TapBeat.Kind
  ) throws(FileError) {
    let parts = TapParts(parameters, blind, clocks, beat)
    keeper = try TapKeeper(parts, target: target)
    all = TapChannel(ofAll: parts.door)
    self.beat = parts.beat
    isRegular = beat == .regular
    begin(beat)
  }

  private func begin(_ beat: TapBeat.Kind) {
    keeper.add(all)
    self.beat?.start(keeper, beat)
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
  public func flush() { keeper.drain(at: nil, all: true) }

  /// The trace of what a flight recorder keeps, up to an instant, now as a rule; nothing for a file's.
  public func dump(at instant: TapInstant? = nil) -> [UInt8] { keeper.dump(at: instant ?? present) ?? [] }

  /// Writes what a flight recorder keeps to a file of mode 0600, at once; compressed where its name ends in `.gz`.
  ///
  /// Nothing for a tap that writes a file anyway. Throws where the file cannot be written.
  public func dump(to path: String, at instant: TapInstant? = nil) throws(FileError) {
    guard let bytes = keeper.dump(at: instant ?? present) else { return }
    try FlightMemory.write(bytes, to: path)
  }

  /// Ends the recording with its last line, at an instant, now as a rule; what is recorded later is dropped.
  public func finish(at instant: TapInstant? = nil) {
    beat?.stop()
    keeper.finish(at: instant ?? present, why: .stopped)
  }

  /// The present instant; with a clock of its own, the last one that was recorded.
  private var present: TapInstant? { isRegular ? .now : nil }

  /// Why nothing more can be written, where the disk is full, say; recording goes on without effect.
  public var failure: FileError? { keeper.failure }

  /// Hands on what was recorded, all of it or up to what is held back.
  package func drain(at instant: TapInstant, all: Bool = true) { keeper.drain(at: instant, all: all) }

  /// Does what the recorder's own beat does.
  package func beat(_ clocks: TapClocks) { keeper.beat(clocks) }
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
