extension Heartbeat {
  /// What a trace or a driver tells the machine; a number without a label is the generation.
  public enum Event: Equatable, Sendable {
    /// A connection is being made under this number, which must be greater than all before it.
    case connect(Int)
    /// In step again after a gap: open, with its ping of this ordinal due now.
    case resume(Int, pingID: Int?)
    /// The handshake succeeded.
    case opened(Int)
    /// A pong came; `id` is the ordinal of its ping, 0 for none, nil where the source cannot tell.
    case pong(Int, id: Int?)
    /// A ping's completion was called.
    case pinged(Int, id: Int?, PingResult)
    /// Something inbound that is no pong.
    case inbound(Int)
    /// The connection could not be made, broke, or was ended by the peer.
    case ended(Int, Cause, code: Int?)
    /// The user wants the connection closed.
    case userClose(Int)
    /// The app went to the background.
    case background
    /// The app came to the foreground.
    case foreground
    /// The network changed; `available` says whether there is one now.
    case network(available: Bool)
  }

  /// How a ping's completion was called.
  public enum PingResult: String, Sendable, CaseIterable {
    /// The pong came.
    case ok
    /// The ping could not be sent, or the connection broke.
    case error
    /// The ping was given up.
    case cancelled
  }

  /// Why a generation ended; the raw value is the word that goldens use.
  public enum Cause: String, Sendable, CaseIterable {
    /// No pong came before the deadline.
    case pongTimeout
    /// The handshake did not end in time.
    case connectTimeout
    /// On the return to the foreground, the pong's deadline had passed.
    case staleOnResume
    /// The user closed the connection.
    case userClosed
    /// The connection was not accepted.
    case refused
    /// The connection was reset.
    case reset
    /// The connection was ended without a close frame.
    case fin
    /// The transport failed in another way.
    case error
    /// The transport gave up waiting.
    case timeout
    /// The peer sent a close frame.
    case peerClosed
    /// A ping's completion was an error or a cancellation.
    case sendFailed
    /// A newer generation was made while this one lived.
    case superseded
  }
}
