/// A kind of fault that a WebSocket session meets; scripts of one family differ by seed.
public enum FaultFamily: String, CaseIterable, Sendable {
  /// Nothing but a little jitter.
  case calm
  /// Delays that vary by up to 0.3 s from packet to packet.
  case jitter
  /// The path becomes slower and faster again, for minutes.
  case steps
  /// The path is much slower for a short while.
  case spikes
  /// The path loses all, in both directions or in one.
  case holes, holesUp, holesDown
  /// Single packets are lost.
  case loss
  /// The server, or something between, ends the connection.
  case resets
  /// The server ends its connections, refuses new ones for a while, and is there again.
  case restarts
  /// The server's host dies without a word, and is there again later.
  case deadHost
  /// Something between forgets a connection after a silence: silently, with a reset to the next packet, or at once.
  case idleSilent, idleReset, idleActive
  /// The server's loop stands still for a while; its kernel answers.
  case busy
  /// The server ends a connection whose pings come too fast.
  case pingRate
  /// Steps, holes and a reset.
  case mixed

  /// Whether packets are lost, or nothing is answered, for a while.
  public var hasOutage: Bool {
    switch self {
    case .holes, .holesUp, .holesDown, .deadHost, .busy, .mixed, .restarts: true
    case .calm, .jitter, .steps, .spikes, .loss, .resets, .idleSilent, .idleReset, .idleActive, .pingRate:
      false
    }
  }

  /// Whether it has no faults at all.
  public var isFaultless: Bool { self == .calm }
}

/// What a client and a server exchange beside pings.
public enum Traffic: String, CaseIterable, Sendable {
  /// Nothing.
  case none
  /// The server sends a message every 4 s, in the mean.
  case inbound
  /// Each side sends one every 15 to 20 s.
  case sparse
  /// Each side sends one every 1.5 s.
  case dense
  /// The client asks every 2 s, and the server answers: a round trip every 2 s.
  case exchanges
}
