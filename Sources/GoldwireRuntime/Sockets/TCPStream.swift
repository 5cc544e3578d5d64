#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// One TCP connection: reading and writing wait without a thread, end when the task is cancelled, and never raise a signal.
package final class TCPStream: Sendable {
  private struct State {
    var isClosed = false
    /// Whether a write broke off in the middle of its bytes, so that nothing may follow them.
    var isTorn = false
    var isShut = false
    /// How the connection broke: the system says it once, and a stream that ended by itself looks the same later.
    var failure: SocketError?
  }

  /// The port of this side.
  package let localPort: Int
  /// The port of the other side.
  package let remotePort: Int
  private let loop: SocketLoop
  private let descriptor: Int32
  private let handle: Int
  private let state = Guarded(State())
  private let turns = TurnQueue()

  /// Takes over a descriptor that is connected.
  init(connected descriptor: Int32, loop: SocketLoop) {
    self.descriptor = descriptor
    self.loop = loop
    localPort = SocketCalls.port(descriptor, ofPeer: false)
    remotePort = SocketCalls.port(descriptor, ofPeer: true)
    handle = loop.adopt(descriptor)
  }

  deinit { close() }

  /// Connects to an address; a cancelled task leaves no socket behind.
  package static func connect(
    to address: SocketAddress, loop: SocketLoop = .shared
  ) async throws(SocketError) -> TCPStream {
    if Task.isCancelled { throw .cancelled }
    let descriptor = try SocketCalls.stream(six: address.isSix)
    let isDone: Bool
    do throws(SocketError) { isDone = try SocketCalls.connect(descriptor, address) } catch {
      SocketCalls.close(descriptor)
      throw error
    }
    let handle = loop.adopt(descriptor)
    var failure = isDone ? nil : await loop.wait(handle, for: .writing)
    failure = failure ?? SocketCalls.failure(descriptor)
    if failure == nil, SocketCalls.isOwnPeer(descriptor) { failure = .refused }
    if let failure {
      loop.close(handle)
      throw failure
    }
    return TCPStream(connected: descriptor, handle: handle, loop: loop)
  }

  private init(connected descriptor: Int32, handle: Int, loop: SocketLoop) {
    self.descriptor = descriptor
    self.handle = handle
    self.loop = loop
    localPort = SocketCalls.port(descriptor, ofPeer: false)
    remotePort = SocketCalls.port(descriptor, ofPeer: true)
  }

  /// Connects to the first address of a host that takes the connection; throws what the last one said.
  package static func connect(
    host: String, port: Int, loop: SocketLoop = .shared
  ) async throws(SocketError) -> TCPStream {
    var last = SocketError.dns
    for address in try await SocketAddress.resolve(host: host, port: port) {
      do throws(SocketError) { return try await connect(to: address, loop: loop) } catch { last = error }
      if last == .cancelled { break }
    }
    throw last
  }

  /// Waits for bytes and gives them, at most `count` (1 to `SocketLimits.read`); none at the end of the stream.
  package func read(atMost count: Int = 65_536) async throws(SocketError) -> [UInt8] {
    let count = min(max(count, 1), SocketLimits.read)
    while true {
      if Task.isCancelled { throw .cancelled }
      var bytes: [UInt8] = []
      switch receiveNow(count, &bytes) {
      case .bytes: return bytes
      case .failed(let error): throw error
      case .later: if let failure = await loop.wait(handle, for: .reading) { throw failure }
      }
    }
  }

  /// Bytes that came before the connection broke are still given.
  private func receiveNow(_ count: Int, _ bytes: inout [UInt8]) -> SocketCalls.Transfer {
    let (transfer, got) = state.withLock { state -> (SocketCalls.Transfer, [UInt8]) in
      if state.isClosed { return (.failed(.closed), []) }
      var got: [UInt8] = []
      let transfer = SocketCalls.receive(descriptor, count, into: &got)
      if case .failed(let error) = transfer { state.failure = state.failure ?? error }
      if case .later = transfer { return (transfer, []) }
      if got.isEmpty, let failure = state.failure { return (.failed(failure), []) }
      return (transfer, got)
    }
    bytes = got
    return transfer
  }

  /// Writes all the bytes, waiting while the peer takes none; writes of several tasks come one after the other.
  ///
  /// A write that is cancelled in the middle leaves a torn stream: each later one throws `closed`.
  package func write(_ bytes: [UInt8]) async throws(SocketError) {
    guard await turns.take() else { throw .cancelled }
    defer { turns.give() }
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SocketError) {
        if Task.isCancelled { throw .cancelled }
        switch sendNow(rest) {
        case .bytes(let count): rest = rest.dropFirst(count)
        case .failed(let error): throw error
        case .later: if let failure = await loop.wait(handle, for: .writing) { throw failure }
        }
      } catch {
        if rest.count < bytes.count { state.withLock { $0.isTorn = true } }
        throw error
      }
    }
  }

  private func sendNow(_ bytes: ArraySlice<UInt8>) -> SocketCalls.Transfer {
    state.withLock { state in
      if state.isClosed || state.isTorn || state.isShut { return .failed(.closed) }
      let transfer = SocketCalls.send(descriptor, bytes)
      if case .failed(let error) = transfer { state.failure = state.failure ?? error }
      return transfer
    }
  }

  /// Ends this side's stream with a FIN; the other side's may still be read.
  package func shutdownWrite() {
    state.withLock { state in
      guard !state.isClosed, !state.isShut else { return }
      state.isShut = true
      #if canImport(Darwin)
        _ = Darwin.shutdown(descriptor, SHUT_WR)
      #else
        _ = Glibc.shutdown(descriptor, Int32(SHUT_WR))
      #endif
    }
  }

  /// Breaks the connection with a RST; what was written and not yet sent is lost.
  package func reset() { end(abandoning: true) }

  /// Closes both directions; whoever waits for one is told `closed`, and a second call does nothing.
  package func close() { end(abandoning: false) }

  private func end(abandoning: Bool) {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      if !state.isClosed, abandoning { SocketCalls.abandon(descriptor) }
      return !state.isClosed
    }
    if isFirst { loop.close(handle) }
  }
}
