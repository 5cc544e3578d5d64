#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Why a socket could not do what it was asked, in the words that a trace has for causes.
package enum SocketError: Error, Equatable, Sendable {
  /// Nobody listens at that port.
  case refused
  /// No way leads to that host.
  case unreachable
  /// The system gave up waiting for the peer.
  case timeout
  /// The peer reset the connection, or it is gone.
  case reset
  /// The name has no address.
  case dns
  /// The waiting task was cancelled.
  case cancelled
  /// This side has closed the socket.
  case closed
  /// Another failure, by the system's number.
  case other(Int32)

  /// The meaning of the system's number for a failure.
  init(code: Int32) {
    switch code {
    case ECONNREFUSED: self = .refused
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: self = .unreachable
    case ETIMEDOUT: self = .timeout
    case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: self = .reset
    case ECANCELED: self = .cancelled
    case EBADF: self = .closed
    default: self = .other(code)
    }
  }
}
