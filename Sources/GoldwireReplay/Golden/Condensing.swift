internal import GoldwireTrace

extension [ReplayedAction] {
  /// Outcomes alone, with one line, counted by `n`, for each run of pings; what `"detail":"outcomes"` means.
  ///
  /// A run is of one connection, and ends at that channel's next outcome.
  public func condensed() -> [ReplayedAction] {
    var result: [ReplayedAction] = []
    var runs: [Place: Int] = [:]
    for action in self {
      let line = action.line
      let place = Place(line)
      if line.action == .ping {
        if let run = runs[place], result[run].line.generation == line.generation {
          result[run].line.n = (result[run].line.n ?? 0) + 1
          // A run is as firm as its weakest ping.
          if let grade = line.grade {
            result[run].line.grade = Swift.min(result[run].line.grade ?? grade, grade)
          }
        } else {
          runs[place] = result.count
          var first = action
          first.line.n = 1
          result.append(first)
        }
      } else if line.action.isOutcome {
        runs[place] = nil
        result.append(action)
      }
    }
    return result
  }
}

/// Where a sequence of actions belongs: a channel, and a request in it.
struct Place: Hashable {
  var channel: Channel?
  var req: Int?

  init(_ line: GoldenLine) { self.init(line.channel, line.req) }

  init(_ channel: Channel?, _ req: Int?) {
    self.channel = channel
    self.req = req
  }
}
