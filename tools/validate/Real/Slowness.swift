internal import GoldwireTrace

/// How slow a machine is, by a recording on it: all sockets and timers take their time.
///
/// Lengths are in microseconds.
struct Slowness {
  /// How much longer a round trip is than the script's path makes it, in the middle.
  private(set) var trip = 0
  /// How late a timer is, in the middle.
  private(set) var lateness = 0

  /// Measures a recording of a client that beats every `interval`; `path` is the round trip of what is sent at an instant.
  init(_ trace: Trace, interval: Int, path: (Int) -> Int) {
    var (trips, late) = ([Int](), [Int]())
    var (sent, answered): (Int?, Int?)
    for line in trace.lines {
      switch line.event {
      case .wsPing(.out, _, _):
        if let answered { late.append(max(0, line.t - answered - interval)) }
        (sent, answered) = (line.t, nil)
      case .wsPong(.in, _, _):
        if let sent { trips.append(line.t - sent - path(sent)) }
        (sent, answered) = (nil, line.t)
      case .wsConnect: (sent, answered) = (nil, nil)
      default: break
      }
    }
    trip = max(0, trips.sorted().dropFirst(trips.count / 2).first ?? 0)
    lateness = late.sorted().dropFirst(late.count / 2).first ?? 0
  }
}
