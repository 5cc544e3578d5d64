internal import GoldwireMachines

/// One thing that a client does, or that befalls it, in one world.
struct PredictedStep {
  /// What it is.
  enum Kind: Int, Comparable {
    case connect, open, ping, answer, end

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// Why nothing can be said for sure from some instant on.
  enum Doubt: Equatable {
    /// A silence of this length, longer than any that was survived.
    case silence(Double)
    /// Pings this close, closer than any that were recorded.
    case rate(Double)
    /// A session that begins at another instant than the recorded one.
    case moved
    /// What ended the recorded session may have been the client's own doing.
    case coupled
    /// What is after the end of the recorded session.
    case after
    /// A hole in the recording.
    case hole
    /// A reply that is known from where it was recorded, not from where it arrives.
    case elsewhere
    /// A reply that comes this close to the deadline, as close as round trips differ.
    case margin(Double)
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
  /// What first made it less firm than `interpolated`.
  var doubt: Doubt?
  /// The step's own proof, whatever came before.
  var proof: Grade?
  /// The recorded event behind an end.
  var origin: SocketWorld.Origin?
  /// The index of the trace line that it rests on.
  var line: Int?
}
