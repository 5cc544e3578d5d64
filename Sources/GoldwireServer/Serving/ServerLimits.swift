/// What the fault server takes at most, whatever its clients do.
package enum ServerLimits {
  /// The connections that are open at once; further ones are closed at once.
  package static let connections = 4_096
  /// The bytes of a request's head; a longer one gets a 431.
  package static let head = 65_536
  /// The bytes of a request's body that are read; a longer one gets a 413.
  package static let body = 64 << 20
  /// The payload bytes of a client's message; a longer one is answered by a close with 1009.
  package static let message = 16 << 20
  /// The bytes of a message that is sent back.
  package static let echo = 1 << 20
  /// The bytes that are held back on a connection's way in, and as many on its way out.
  package static let heldBytes = 4 << 20
  /// What a WebSocket connection is still to do; pings beyond that get no pong.
  package static let agenda = 4_096
  /// The pings of each way whose payloads are remembered.
  package static let pings = 64
  /// The paths that the log tells apart.
  package static let paths = 1_024
  /// The lines of the log that are kept until somebody takes them.
  package static let logLines = 262_144
  /// How long a client has to end its side once this side has ended, in microseconds.
  package static let linger = 2_000_000
  /// How many times a restarted server asks for its port, and how long it waits in between, in microseconds.
  package static let rebinds = 100
  package static let rebindWait = 10_000
}

/// What a script may hold at most.
package enum ScriptLimits {
  /// The bytes of a script.
  package static let bytes = 8 << 20
  /// The elements of a list.
  package static let elements = 65_536
  /// The bytes of a message, a body or a ping that is no control frame's.
  package static let payload = 16 << 20
  /// The bytes of a text in it.
  package static let text = 65_536
}
