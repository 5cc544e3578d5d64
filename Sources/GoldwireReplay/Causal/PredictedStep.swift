internal import GoldwireMachines

/// One thing that a client does, or that befalls it, in one world.
struct PredictedStep {
  /// What it is.
  enum Kind: Int, Comparable {
    case connect, open, ping, answer, end

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  var kind: Kind
  /// The connection's number in the prediction.
  var generation: Int
  /// The ping's number in its connection.
  var ordinal = 0
  var t: Double
  var cause: Heartbeat.Cause?
  var code: Int?
  /// Whether the client closed, or was told of an end.
  var isClose = false
  /// The grade of the weakest cause so far.
  var grade: Grade
  /// The step's own proof, whatever came before.
  var proof: Grade?
  /// The recorded event behind an end.
  var origin: SocketWorld.Origin?
  /// The index of the trace line that it rests on.
  var line: Int?
}
