/// What the server does on one WebSocket connection.
package struct SocketBehaviour: Equatable, Sendable {
  /// How the handshake is answered.
  package enum Opening: Equatable, Sendable {
    /// With 101.
    case accept
    /// With another status.
    case refuse(AnswerBehaviour)
    /// Not at all.
    case silent
    /// With a reset.
    case reset
    /// With the end of the stream.
    case close
  }

  /// What a ping gets.
  package enum PongKind: String, CaseIterable, Sendable {
    /// Its pong.
    case answer
    /// Nothing.
    case drop
    /// Its pong twice.
    case twice
    /// A pong with another payload.
    case other
  }

  /// What a ping gets, and how much later.
  package struct Pong: Equatable, Sendable {
    package var kind: PongKind = .answer
    package var delay: Delay = Delay()
  }

  /// How a connection is killed because of what the client does.
  package enum Kill: Equatable, Sendable {
    /// Nothing passes any more, as after a router forgot it.
    case silent
    /// With a reset.
    case reset
    /// With a close frame.
    case close(code: Int?)
  }

  /// The most pings that a client may send in a time.
  package struct PingLimit: Equatable, Sendable {
    package var pings: Int
    package var per: Int
    package var kill: Kill
  }

  /// The longest time without a byte either way.
  package struct IdleLimit: Equatable, Sendable {
    package var after: Int
    package var kill: Kill
  }

  package var opening: Opening = .accept
  /// How long the handshake's answer is held back.
  package var openingDelay: Delay = Delay()
  /// What the first, second, … ping gets; the last repeats.
  package var pongs: [Pong] = [Pong()]
  /// What the server does by itself.
  package var steps: [SocketStep] = []
  /// Whether messages come back.
  package var echoes: Bool = false
  /// Whether a close frame is answered.
  package var answersClose: Bool = true
  package var pingLimit: PingLimit?
  package var idleLimit: IdleLimit?
  /// Faults of the network, with times since the request.
  package var network: [NetworkFault] = []

  /// A server as it should be.
  package init() {}
}

/// Something that the server does by itself on a WebSocket connection.
package struct SocketStep: Equatable, Sendable {
  /// After what it is done.
  package enum Trigger: Equatable, Sendable {
    /// The opening.
    case open
    /// The arrival of a ping, before its pong.
    case beforePong(Int)
    /// The pong of a ping, or where it would have been.
    case afterPong(Int)
    /// The arrival of a message.
    case message(Int)
  }

  /// What is done.
  package enum Deed: Equatable, Sendable {
    /// Messages are sent.
    case send(isText: Bool, bytes: Int)
    /// Pings are sent.
    case ping(bytes: Int)
    /// Pongs are sent that nobody asked for.
    case pong(bytes: Int)
    /// A close frame is sent, with a code or without.
    case close(code: Int?)
    /// The connection is reset.
    case reset
    /// The server's stream ends without a close frame.
    case fin
    /// A message's head and half of it are sent, and then nothing.
    case stall(bytes: Int)
    /// Nothing is read any more.
    case stopReading
    /// Reading goes on.
    case read
    /// Nothing passes any more, either way.
    case silent
  }

  package var trigger: Trigger = .open
  package var delay: Delay = Delay()
  package var deed: Deed
  /// How many times.
  package var count: Int = 1
  /// The microseconds from one time to the next.
  package var every: Int = 0
}
