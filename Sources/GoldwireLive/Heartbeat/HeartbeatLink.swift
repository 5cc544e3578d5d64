internal import GoldwireTap

/// Which connection a callback is of: what was captured when it was made.
struct HeartbeatLink: Sendable {
  /// The machine's number for it.
  let generation: Int
  /// Its place in the recording.
  let tap: SocketGeneration?
}
