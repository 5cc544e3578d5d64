public import GoldwireRuntime
internal import GoldwireTap
public import GoldwireTrace

/// A server on 127.0.0.1 that does what a script says: WebSocket, HTTP and event streams, with faults.
///
/// ```swift
/// let server = try FaultServer(script: FaultScript(json: bytes))
/// let url = "ws://127.0.0.1:\(server.port)/chat"
/// …
/// await server.ended
/// let trace = server.log
/// ```
///
/// It serves from the moment it is made until its script ends it or ``stop()`` does. Nobody but programs of this machine
/// reaches it.
public final class FaultServer: Sendable {
  /// Why a server cannot serve.
  public enum Failure: Error, Equatable, Sendable {
    /// The port is taken, or may not be used.
    case port(Int)
  }

  private struct State {
    var listener: TCPListener?
    var opening: Once<Void>?
    /// How often it was restarted: a connection of before is reset, wherever it stands.
    var restarts = 0
    var wires: [Int: Wire] = [:]
    var accepted = 0
    var finished = 0
    var main: Task<Void, Never>?
    var why: EndReason?
    var waiters: [Once<Void>] = []
    var isOver = false
  }

  /// The port at which it listens.
  public let port: Int
  /// The port that refuses connections, where the script asks for one.
  public let refusedPort: Int?
  private let core: ServerCore
  private let refused: TCPListener?
  private let state = Guarded(State())
  /// How often it has begun to listen.
  package let openings = Watched(1)

  /// Begins to serve.
  ///
  /// `port` 0 takes one that is free; all times of the script are the clock's.
  public init(
    script: FaultScript, port: Int = 0, clock: any DriverClock = ContinuousDriverClock()
  ) throws(Failure) {
    let listener: TCPListener
    do throws(SocketError) {
      listener = try TCPListener(port: port)
      refused = script.hasRefusedPort ? try TCPListener(isOpen: false) : nil
    } catch { throw .port(port) }
    self.port = listener.port
    refusedPort = refused?.port
    core = ServerCore(script, clock, epoch: TapInstant.wall)
    state.withLock { $0.listener = listener }
    let main = Task { await self.run() }
    let isOver = state.withLock { state in
      state.main = main
      return state.why != nil
    }
    // Its script may be over by now.
    if isOver { main.cancel() }
  }

  /// Ends serving: connections are closed, and the log gets its last line; returns once that is done.
  public func stop() async {
    end(.stopped)
    await ended
  }

  /// Asks it to end, for a reason that the log will name.
  package func end(_ why: EndReason) {
    let main = state.withLock { state in
      state.why = state.why ?? why
      return state.main
    }
    main?.cancel()
  }

  /// Returns once it has ended, by its script or otherwise.
  public var ended: Void {
    get async {
      let once = Once<Void>()
      let isOver = state.withLock { state in
        if !state.isOver { state.waiters.append(once) }
        return state.isOver
      }
      if !isOver { await once.wait() }
    }
  }

  /// What it has done so far, as a trace; whole once it has ended.
  public var log: Trace { Trace(header: header, lines: core.log.lines) }

  /// The header of its log.
  package var header: TraceHeader {
    TraceHeader(
      tool: "goldwire " + TraceHeader.release, source: .serve, unit: .us, clock: .continuous,
      wall: core.log.wall, at: .server)
  }

  /// The lines of its log since the last time; they are forgotten here.
  package func takeLog() -> [TraceLine] { core.log.take() }
}

// Serving.
extension FaultServer {
  private func run() async {
    let script = core.script
    await withDiscardingTaskGroup { group in
      if let span = script.ends.after {
        group.addTask {
          if await self.sleep(span) { self.end(.written) }
        }
      }
      if !script.restarts.isEmpty { group.addTask { await self.restart() } }
      while let (stream, restarts) = await accept() {
        let (number, isTooMany) = state.withLock { state in
          state.accepted += 1
          return (state.accepted, state.wires.count >= ServerLimits.connections)
        }
        if isTooMany {
          stream.close()
        } else {
          group.addTask { await self.serve(stream, number, restarts) }
        }
      }
      group.cancelAll()
    }
    finish()
  }

  /// The next connection, and how many restarts there were before it; nil once the server ends.
  private func accept() async -> (TCPStream, restarts: Int)? {
    while !Task.isCancelled {
      let once = Once<Void>()
      let (listener, restarts) = state.withLock { state in
        if state.listener == nil { state.opening = once }
        return (state.listener, state.restarts)
      }
      guard let listener else {
        await once.wait()
        continue
      }
      do throws(SocketError) { return (try await listener.accept(), restarts) } catch {
        switch error {
        case .closed, .cancelled: break
        default:
          // Too many files are open: what ends will give some back.
          _ = await sleep(ServerLimits.rebindWait)
        }
      }
    }
    return nil
  }

  private func serve(_ stream: TCPStream, _ number: Int, _ restarts: Int) async {
    let faults = core.script.network.map { $0.shifted(by: core.log.start) }
    let wire = Wire(stream, clock: core.clock, faults: faults, seed: core.script.seed, number: number)
    let isOfBefore = state.withLock { state in
      state.wires[number] = wire
      return state.restarts != restarts
    }
    // It was taken while the server was restarted, which saw nothing of it.
    if isOfBefore { wire.abort() }
    let connection = ServerConnection(core: core, wire: wire, number: number)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await wire.run() }
      await connection.run()
      group.cancelAll()
    }
    let finished = state.withLock { state in
      state.wires[number] = nil
      state.finished += 1
      return state.finished
    }
    if let most = core.script.ends.connections, finished >= most { end(.written) }
    if core.script.endsWhenPlayed, core.isPlayed { end(.written) }
  }

  private func restart() async {
    for restart in core.script.restarts {
      guard await sleep(until: core.log.start.addingClamped(restart.at)) else { return }
      let (listener, wires) = state.withLock { state in
        defer { state.listener = nil }
        state.restarts += 1
        return (state.listener, Array(state.wires.values))
      }
      listener?.close()
      // Whoever sees the reset must find the port closed.
      await SocketLoop.shared.settle()
      for wire in wires { wire.abort() }
      guard await sleep(restart.lasts) else { return }
      guard let listener = await listenAgain() else { return end(.limit) }
      let opening = state.withLock { state in
        state.listener = listener
        defer { state.opening = nil }
        return state.opening
      }
      opening?.end(())
      openings.update { $0 += 1 }
    }
  }

  /// Takes the port back; somebody may have it for a moment.
  private func listenAgain() async -> TCPListener? {
    for _ in 0..<ServerLimits.rebinds {
      if let listener = try? TCPListener(port: port) { return listener }
      guard await sleep(ServerLimits.rebindWait) else { return nil }
    }
    return nil
  }

  private func sleep(_ span: Int) async -> Bool {
    await sleep(until: core.clock.now.microseconds.addingClamped(span))
  }

  private func sleep(until instant: Int) async -> Bool {
    (try? await core.clock.sleep(until: TapInstant(microseconds: instant))) != nil
  }

  private func finish() {
    state.withLock { state in
      let listener = state.listener
      state.listener = nil
      return listener
    }?.close()
    refused?.close()
    core.log.finish(state.withLock { $0.why } ?? .stopped, at: core.clock.now)
    let waiters = state.withLock { state in
      state.isOver = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.end(()) }
  }
}
