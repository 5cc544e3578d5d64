/// Why a message was not sent.
public enum HeartbeatSendError: Error, Equatable, Sendable {
  /// No connection is open.
  case notOpen
  /// As many messages as the limit allows are being sent already.
  case full
  /// The transport could not send it.
  case failed
  /// The connection ended first; whether the peer has the message is not known.
  case ended
}
