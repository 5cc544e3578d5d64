internal import GoldwireMachines
internal import GoldwireTrace

/// What a trace tells of one WebSocket channel, as far as a model of its surroundings needs it.
///
/// A reference, since all worlds share it.
final class RecordedSocket {
  /// The channel.
  let channel: Channel
  /// Its connections, in order; after a hole in the recording those that are known from then on.
  var connections: [RecordedConnection] = []
  /// The last instant of the recording.
  let horizon: Double
  /// A second in the trace's unit.
  let second: Double
  /// The parameters that were in force.
  let parameters: Heartbeat.Parameters
  /// The recorded client's actions.
  var actions: [ReplayedAction] = []
  /// What happened at its own instant whatever the client did: the app's state and the user's closes.
  var happenings: [Happening] = []
  /// The spans in which the process did not run, in order.
  var pauses: [Range<Int>] = []
  /// The index of the last line that tells of a hole in the recording, or of a connection from before it.
  var hole: Int?
  /// The recording cannot see how connections end.
  var isBlindToEnds = false

  /// Something that is kept at its instant.
  struct Happening {
    var t: Int
    var event: Heartbeat.Event
    var line: Int
  }

  /// Something that passed either way.
  struct Sign {
    var at: Double
    var isOut: Bool
  }

  init(_ channel: Channel, _ trace: Trace, _ parameters: Heartbeat.Parameters) {
    self.channel = channel
    self.parameters = parameters
    horizon = Double(trace.horizon)
    second = trace.header.unit == .us ? 1_000_000 : 1_000
    isBlindToEnds = trace.header.blind.contains(.wsClose) || trace.header.blind.contains(.wsEnd)
  }

  /// The connection of this number.
  func connection(_ number: Int) -> RecordedConnection? { index(of: number).map { connections[$0] } }

  /// The place of the connection of this number; the numbers rise.
  func index(of number: Int) -> Int? {
    var (low, high) = (0, connections.count)
    while low < high {
      let middle = (low + high) / 2
      if connections[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < connections.count && connections[low].number == number ? low : nil
  }

  /// The number of the connection after this one: a recording may leave numbers out.
  func number(after number: Int) -> Int {
    guard let place = index(of: number), place + 1 < connections.count else { return number + 1 }
    return connections[place + 1].number
  }

  /// The pauses between an end and the next connect, in order.
  var reconnectDelays: [Double] {
    zip(connections, connections.dropFirst()).compactMap { before, after in
      before.givenUp.map { Swift.max(0, after.connect - $0) }
    }
  }

  /// The instant itself, or the end of the pause of the process that it falls into.
  func afterPause(_ instant: Double) -> Double {
    guard !pauses.isEmpty, instant < .infinity else { return instant }
    for pause in pauses where instant > Double(pause.lowerBound) && instant < Double(pause.upperBound) {
      return Double(pause.upperBound)
    }
    return instant
  }

  /// Whether the process stood still at some time between two instants.
  func isPaused(between start: Double, and end: Double) -> Bool {
    pauses.contains { Double($0.lowerBound) < end && Double($0.upperBound) > start }
  }
}

extension RecordedConnection {
  /// All that passed on it since it opened, in order; what came stands before what went at one instant.
  func signs(since open: Double) -> [RecordedSocket.Sign] {
    var signs = [RecordedSocket.Sign(at: open, isOut: false)]
    signs += pings.map { .init(at: $0.sent, isOut: true) }
    signs += answers.map { .init(at: $0.answered, isOut: false) }
    signs += sends.map { .init(at: $0, isOut: true) }
    signs += arrivals.map { .init(at: $0, isOut: false) }
    return signs.sorted { ($0.at, $0.isOut ? 1 : 0) < ($1.at, $1.isOut ? 1 : 0) }
  }
}
