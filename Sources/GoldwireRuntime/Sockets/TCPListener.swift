#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// A port of 127.0.0.1 that takes connections.
package final class TCPListener: Sendable {
  /// The port, also where 0 was asked for.
  package let port: Int
  private let loop: SocketLoop
  private let descriptor: Int32
  private let handle: Int
  private let isClosed = Guarded(false)

  /// Listens at a port of 127.0.0.1; 0 takes one that is free.
  ///
  /// - Parameters:
  ///   - port: 0 to 65535.
  ///   - loop: the thread that waits.
  ///   - isOpen: false only keeps the port, so that connections to it are refused.
  ///   - receiveBuffer: the bytes that the system keeps for each connection that does not read; its default if nil.
  /// - Throws: `other(EADDRINUSE)` and the like.
  package init(
    port: Int = 0, loop: SocketLoop = .shared, isOpen: Bool = true, receiveBuffer: Int? = nil
  ) throws(SocketError) {
    let descriptor = try SocketCalls.stream()
    SocketCalls.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if let receiveBuffer {
      SocketCalls.set(descriptor, SOL_SOCKET, SO_RCVBUF, Int32(min(max(receiveBuffer, 1024), 1 << 24)))
    }
    do throws(SocketError) {
      try SocketCalls.bind(descriptor, .loopback(port))
      if isOpen, listen(descriptor, Int32(SocketLimits.backlog)) != 0 { throw SocketError(code: errno) }
    } catch {
      SocketCalls.close(descriptor)
      throw error
    }
    self.port = SocketCalls.port(descriptor, ofPeer: false)
    self.loop = loop
    self.descriptor = descriptor
    handle = loop.adopt(descriptor)
  }

  deinit { close() }

  /// Waits for the next connection.
  ///
  /// Throws `cancelled`, `closed`, and `other(EMFILE)` where the program has too many files open.
  package func accept() async throws(SocketError) -> TCPStream {
    while true {
      if Task.isCancelled { throw .cancelled }
      let (taken, code) = isClosed.withLock { isClosed -> (Int32, Int32) in
        if isClosed { return (-1, EBADF) }
        #if canImport(Darwin)
          let taken = Darwin.accept(descriptor, nil, nil)
        #else
          let taken = Glibc.accept(descriptor, nil, nil)
        #endif
        return (taken, errno)
      }
      if taken >= 0 {
        SocketCalls.prepare(taken)
        return TCPStream(connected: taken, loop: loop)
      }
      switch code {
      case EAGAIN, EWOULDBLOCK:
        if let failure = await loop.wait(handle, for: .reading) { throw failure }
      case ECONNABORTED, EINTR, EPROTO: continue
      default: throw SocketError(code: code)
      }
    }
  }

  /// Stops listening; connections that were taken go on, and a second call does nothing.
  package func close() {
    let isFirst = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if isFirst { loop.close(handle) }
  }
}
