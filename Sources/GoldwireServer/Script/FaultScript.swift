/// What a fault server does: rules per path, each with one behaviour for each connection in turn.
///
/// A script is read from JSON, or is one of the built-in ones by name. All times in it are scaled already.
public struct FaultScript: Equatable, Sendable {
  /// What happens to a connection before anything of it is read.
  package enum Acceptance: String, CaseIterable, Sendable {
    /// Its requests are answered.
    case answer
    /// Nothing is read or written.
    case silent
    /// It is reset.
    case reset
    /// It is closed.
    case close
  }

  /// When the server ends by itself; nil for what does not end it.
  package struct Ends: Equatable, Sendable {
    /// After so many connections have ended.
    package var connections: Int?
    /// After so many microseconds.
    package var after: Int?
  }

  /// A restart of the server: all connections are reset, and new ones are refused for a while.
  package struct Restart: Equatable, Sendable {
    /// Microseconds since the server began.
    package var at: Int
    /// How long connections are refused, in microseconds.
    package var lasts: Int
  }

  /// The seed of everything random in it.
  package var seed: UInt64 = 0
  /// When it ends by itself.
  package var ends: Ends = Ends()
  /// What happens to the first, second, … connection; the last repeats.
  package var accepts: [Acceptance] = [.answer]
  /// Faults of the network, with times since the server began.
  package var network: [NetworkFault] = []
  /// Restarts, in order.
  package var restarts: [Restart] = []
  /// Whether a second port is kept that refuses connections.
  package var hasRefusedPort: Bool = false
  /// The rules; the first that fits a path holds.
  package var rules: [FaultRule] = []
  /// Whether each rule stands for the next path that nobody has asked for yet, as in a trace that is played.
  package var claimsPaths: Bool = false
  /// Whether it ends once each behaviour of each rule was used and is over.
  package var endsWhenPlayed: Bool = false

  /// A script without rules.
  package init() {}
}

/// What is done at one path.
package struct FaultRule: Equatable, Sendable {
  /// The path: exact, or everything that begins with what stands before a final `*`.
  package var path: String = "*"
  /// What WebSocket handshakes get, one after the other; the last repeats.
  package var webSocket: [SocketBehaviour] = []
  /// What requests for an event stream get.
  package var events: [StreamBehaviour] = []
  /// What other requests get.
  package var http: [AnswerBehaviour] = []

  /// A rule for every path that does nothing.
  package init() {}

  /// Whether a path is this rule's.
  func fits(_ target: String) -> Bool {
    path.hasSuffix("*") ? target.hasPrefix(path.dropLast()) : target == path
  }
}

extension Array {
  /// The element for the turn of that number, from 0; the last repeats.
  func turn(_ number: Int) -> Element? { isEmpty ? nil : self[Swift.min(Swift.max(number, 0), count - 1)] }
}
