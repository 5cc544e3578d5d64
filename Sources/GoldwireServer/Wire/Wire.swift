internal import GoldwireRuntime
internal import GoldwireTap

/// One connection with the network's faults before it: pieces come and go at the instants that they would have there.
final class Wire: Sendable {
  /// What comes from the client.
  enum Arrival: Sendable {
    case bytes([UInt8])
    /// The client ended its stream.
    case end
    /// The connection broke, or was closed by this side.
    case failed(SocketError)
  }

  private enum Departure: Sendable {
    case bytes([UInt8])
    case pause(Int)
    case fin
    case close
    case reset
  }

  private struct Incoming: Sendable {
    let arrival: Arrival
    let release: Int?
  }

  private struct Outgoing: Sendable {
    let departure: Departure
    let release: Int?
    let done: @Sendable (TapInstant) -> Void
  }

  private struct State {
    var outRule: HoldRule
    var inRule: HoldRule
    var isMute = false
    var isDeaf = false
    var isPaused = false
    var isOver = false
    var resumption: Once<Void>?
    var lastByte: Int
  }

  let clock: any DriverClock
  private let stream: TCPStream
  private let state: Guarded<State>
  private let inbox: PieceQueue<Incoming>
  private let outbox: PieceQueue<Outgoing>

  private let delivered = Once<Void>()

  /// Puts faults before a connection; their times are the clock's.
  ///
  /// Directions are the client's: what this side reads is on its way out.
  init(_ stream: TCPStream, clock: any DriverClock, faults: [NetworkFault], seed: UInt64, number: Int) {
    self.stream = stream
    self.clock = clock
    state = Guarded(
      State(
        outRule: HoldRule(faults, isOut: true, random: ScriptRandom(seed: seed, stream: 3 * number)),
        inRule: HoldRule(faults, isOut: false, random: ScriptRandom(seed: seed, stream: 3 * number + 1)),
        lastByte: clock.now.microseconds))
    inbox = PieceQueue(limit: ServerLimits.heldBytes)
    outbox = PieceQueue(limit: ServerLimits.heldBytes)
  }

  /// The instant of the last byte either way.
  var lastByte: Int { state.withLock { $0.lastByte } }

  /// Changes the faults; their times are the clock's.
  func set(_ faults: [NetworkFault]) {
    state.withLock { state in
      state.outRule.faults = faults
      state.inRule.faults = faults
    }
  }

  /// Moves pieces until the connection is over or the task is cancelled.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.pump() }
      group.addTask { await self.deliver() }
      await group.waitForAll()
    }
    stream.close()
  }

  // MARK: In

  /// The next piece that has come through; a cancelled task is told that the connection is closed.
  func read() async -> Arrival {
    while let piece = await inbox.next() {
      // What is lost in a hole without an end never comes.
      guard let release = piece.release else { continue }
      do { try await clock.sleep(until: TapInstant(microseconds: release)) } catch { break }
      return piece.arrival
    }
    return .failed(.closed)
  }

  /// Stops reading, or goes on.
  func pause(_ isPaused: Bool) {
    let resumption = state.withLock { state in
      state.isPaused = isPaused && !state.isOver
      defer { if !state.isPaused { state.resumption = nil } }
      return state.isPaused ? nil : state.resumption
    }
    resumption?.end(())
  }

  /// Nothing is sent any more: whoever has stopped reading for the script's sake must see the end.
  private func endPause() {
    state.withLock { $0.isOver = true }
    pause(false)
  }

  private func pump() async {
    defer { inbox.end() }
    while true {
      await inbox.room()
      await resumed()
      let arrival: Arrival
      do throws(SocketError) {
        let bytes = try await stream.read()
        arrival = bytes.isEmpty ? .end : .bytes(bytes)
      } catch { arrival = .failed(error) }
      let now = clock.now.microseconds
      let (release, isDeaf) = state.withLock { state in
        if case .bytes = arrival { state.lastByte = now }
        return (state.outRule.release(at: now), state.isDeaf)
      }
      switch arrival {
      case .bytes(let bytes):
        if !isDeaf { inbox.push(Incoming(arrival: arrival, release: release), weight: bytes.count) }
      case .end:
        // In a hole without an end nobody hears of it.
        inbox.push(Incoming(arrival: release == nil ? .failed(.closed) : arrival, release: release ?? now))
        if release == nil { outbox.end(dropping: true) }
        return
      case .failed:
        inbox.push(Incoming(arrival: arrival, release: release ?? now))
        outbox.end(dropping: true)
        return
      }
    }
  }

  private func resumed() async {
    while !Task.isCancelled {
      let once = Once<Void>()
      let isPaused = state.withLock { state in
        if state.isPaused { state.resumption = once }
        return state.isPaused
      }
      guard isPaused else { return }
      await once.wait()
    }
  }

  // MARK: Out

  /// Sends bytes once they would come through; `done` gets the instant.
  func send(_ bytes: [UInt8], done: @escaping @Sendable (TapInstant) -> Void = { _ in }) {
    enqueue(.bytes(bytes), weight: bytes.count, done)
  }

  /// Lets so many microseconds pass between what was sent and what will be.
  func leaveGap(_ microseconds: Int) { enqueue(.pause(microseconds), weight: 1) { _ in } }

  /// Ends this side's stream behind what was sent.
  func fin(done: @escaping @Sendable (TapInstant) -> Void = { _ in }) { enqueue(.fin, weight: 1, done) }

  /// Closes the connection behind what was sent.
  func close(done: @escaping @Sendable (TapInstant) -> Void = { _ in }) { enqueue(.close, weight: 1, done) }

  /// Resets the connection behind what was sent.
  func reset(done: @escaping @Sendable (TapInstant) -> Void = { _ in }) { enqueue(.reset, weight: 1, done) }

  /// Resets the connection now, whatever is on its way.
  func abort() {
    stream.reset()
    endPause()
  }

  /// Lets nothing pass any more; both ways, or only what this side sends.
  func mute(both: Bool) {
    state.withLock { state in
      state.isMute = true
      state.isDeaf = state.isDeaf || both
    }
  }

  /// Closes the connection behind what was sent, and returns once that is done, or nothing passes any more.
  func finish() async {
    close()
    if !state.withLock({ $0.isMute }) { await delivered.wait() }
  }

  /// Returns once there is room for more, or the connection is over.
  func room() async { await outbox.room() }

  private func enqueue(_ departure: Departure, weight: Int, _ done: @escaping @Sendable (TapInstant) -> Void)
  {
    let now = clock.now.microseconds
    let release = state.withLock { state -> Int?? in
      state.isMute ? nil : .some(state.inRule.release(at: now))
    }
    guard let release else { return }
    outbox.push(Outgoing(departure: departure, release: release, done: done), weight: weight)
  }

  private func deliver() async {
    defer {
      outbox.end(dropping: true)
      delivered.end(())
      endPause()
    }
    while let piece = await outbox.next() {
      guard let release = piece.release else { continue }
      do {
        try await clock.sleep(until: TapInstant(microseconds: release))
        switch piece.departure {
        case .bytes(let bytes):
          let now = clock.now
          piece.done(now)
          // Before the client can see it: what it does next comes later.
          state.withLock { $0.lastByte = now.microseconds }
          try await stream.write(bytes)
        case .pause(let span):
          let now = clock.now.microseconds
          try await clock.sleep(until: TapInstant(microseconds: now + span))
        case .fin:
          piece.done(clock.now)
          stream.shutdownWrite()
        case .close:
          piece.done(clock.now)
          stream.close()
          return
        case .reset:
          piece.done(clock.now)
          stream.reset()
          return
        }
      } catch { return }
    }
  }
}
