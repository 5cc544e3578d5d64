internal import GoldwireMachines

/// What a trace tells of one connection of a WebSocket channel; instants are in the trace's unit.
///
/// A double holds each instant of a trace exactly. A reference, since each session of each world has one.
final class RecordedConnection {
  /// A ping that the recorded client sent.
  struct Ping {
    /// When it was sent.
    var sent: Double
    /// When the recorded client's machine wanted to send it.
    var due: Int
    /// When it was answered; nil where it was not.
    var answered: Double?
    /// The recording has a line of it, and does not leave it to the machine.
    var isOwnLine = true
    /// The indices of both lines.
    var line: Int
    var answerLine: Int?
  }

  /// An acknowledgement of all that the client had sent before its line.
  struct Acknowledgement {
    var at: Double
    var line: Int
  }

  /// An answer to no recorded ping.
  struct Stray {
    var at: Double
    var id: Int?
    var line: Int
  }

  /// The connection's number in its channel.
  var number: Int
  /// When it was asked for.
  var connect: Double
  /// When the handshake had succeeded.
  var open: Double?
  /// When it ended, and when the recorded client's machine wanted to end it.
  var end: Double?
  var endDue: Int?
  /// The one cause of its end, with the peer's close code.
  var cause: Heartbeat.Cause?
  var code: Int?
  var pings: [Ping] = []
  /// When the client sent messages, and when something else than a pong came in.
  var sends: [Double] = []
  /// The indices of the lines of `sends`.
  var sendLines: [Int] = []
  var arrivals: [Double] = []
  /// When an acknowledgement came in of all that had been sent.
  var acknowledgements: [Acknowledgement] = []
  /// Answers that came before any ping was recorded.
  var strays: [Stray] = []
  /// The indices of the lines of the connect, the opening and the end.
  var connectLine: Int
  var openLine: Int?
  var endLine: Int?
  /// The recording has it from a ping on, not from its connect.
  var isResumed = false

  init(number: Int, connect: Double, connectLine: Int) {
    self.number = number
    self.connect = connect
    self.connectLine = connectLine
  }

  /// When its client gave it up.
  ///
  /// A capture may see a close later than it was made, behind bytes that an outage holds: then this is when its timer was due.
  var givenUp: Double? {
    guard let end, let cause, !cause.isFromOutside, let endDue else { return end }
    return min(end, Double(endDue))
  }

  /// The pings that were answered.
  var answers: [(sent: Double, answered: Double)] {
    pings.compactMap { ping in ping.answered.map { (ping.sent, $0) } }
  }
}
