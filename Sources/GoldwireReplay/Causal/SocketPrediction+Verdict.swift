internal import GoldwireMachines

/// What a prediction says of a change.
enum CausalVerdict: String {
  case same
  case regression
  case improvement
  case inconclusive
}

extension SocketPrediction {
  /// What decided, and how.
  struct Judgement {
    var verdict: CausalVerdict
    /// Sessions that end where the recorded ones did not.
    var extra: [End] = []
    /// Instants at which recorded sessions ended that end in no world.
    var lost: [Double] = []
    /// Ends on which the worlds disagree.
    var splits: [End] = []
    /// The weakest grade of all lines that count.
    var weakest = Grade.observed
  }

  /// Up to when a prediction is judged: an end near the recording's own may lie behind it.
  private var judged: Double {
    let socket = evidence.socket
    let longest = Double(max(parameters.interval, socket.parameters.interval))
    return socket.horizon - 3 * longest - Double(parameters.timeout)
  }

  /// How far an end may move and still be the recorded one.
  private var reach: Double {
    let old = evidence.socket.parameters
    return Double(max(parameters.interval, old.interval)) + Double(max(parameters.timeout, old.timeout))
      + max(0.3 * evidence.second, Double(parameters.interval) / 10)
  }

  /// The verdict, from the line that decides.
  var judgement: Judgement {
    let recorded = evidence.socket.connections.compactMap { $0.open == nil ? nil : $0.end }
    func isNear(_ end: End, _ instant: Double) -> Bool {
      end.earliest - reach <= instant && instant <= end.latest + reach
    }
    let inside = ends.filter { $0.latest <= judged }
    let extra = inside.filter { end in end.isFirm && !recorded.contains { isNear(end, $0) } }
    let splits = inside.filter { end in
      !end.isFirm && !inside.contains { $0.origin == end.origin && $0.isFirm }
    }
    let lost = recorded.filter { instant in instant <= judged && !ends.contains { isNear($0, instant) } }
    let weakest = lines.filter { $0.step.t <= judged }.map(\.grade).min() ?? .observed
    var judgement = Judgement(
      verdict: .inconclusive, extra: extra, lost: lost, splits: splits, weakest: weakest)
    if extra.contains(where: { $0.grade >= .interpolated }) {
      judgement.verdict = .regression
    } else if extra.isEmpty, splits.isEmpty, weakest >= .interpolated {
      judgement.verdict = lost.isEmpty ? .same : .improvement
    }
    return judgement
  }

  /// The largest gap between proofs that the path lived, and how long a hole must be to close a connection.
  var floor: (gap: Double, harmful: Double) {
    var gap = 0.0
    for connection in evidence.socket.connections {
      guard let open = connection.open else { continue }
      var proofs = [open] + connection.answers.filter { evidence.trips.isClean($0.sent) }.map(\.sent)
      proofs.sort()
      for (before, after) in zip(proofs, proofs.dropFirst()) { gap = max(gap, after - before) }
    }
    let sent = evidence.socket.connections.first?.connect ?? 0
    let again = evidence.trips.retransmission(at: sent)
    let trip = evidence.trips.length(at: sent, .high)
    return (gap, (Double(parameters.timeout) - again - trip) / 2)
  }
}
