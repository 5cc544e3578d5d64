/// The round trips of a recording, and what they allow to say of instants between them.
///
/// A sample is clean if it, or a neighbour, is less than 0.2 s slower than the least: a step of the path's delay is no
/// accident, and a retransmission takes 0.2 s at least.
struct RoundTrips {
  /// Which of the neighbouring samples is taken.
  enum Choice { case low, middle, high }

  /// A round trip that began at `sent`.
  struct Sample {
    var sent: Double
    var length: Double
    /// The index of the line that ended it.
    var line: Int?
  }

  /// The least of all.
  let least: Double
  /// The clean ones, in order.
  let clean: [Sample]
  private let second: Double
  /// How much slower than the least a clean one may be.
  let slack: Double

  init(_ socket: RecordedSocket) {
    second = socket.second
    slack = 0.2 * second
    var samples: [Sample] = []
    for connection in socket.connections {
      for ping in connection.pings {
        // Where the process stood still, nobody knows when the answer had come.
        guard let answered = ping.answered, !socket.isPaused(between: ping.sent, and: answered) else {
          continue
        }
        samples.append(Sample(sent: ping.sent, length: answered - ping.sent, line: ping.answerLine))
      }
      // A handshake is two round trips.
      if let open = connection.open, open - connection.connect < second, !connection.isResumed {
        samples.append(
          Sample(
            sent: connection.connect, length: (open - connection.connect) / 2, line: connection.openLine))
      }
    }
    samples.sort { ($0.sent, $0.length) < ($1.sent, $1.length) }
    let least = samples.map(\.length).min() ?? 0.1 * second
    let slack = slack
    func isNear(_ index: Int, _ length: Double) -> Bool {
      samples.indices.contains(index) && length < samples[index].length + slack
    }
    let kept = samples.indices.filter { index in
      let length = samples[index].length
      return length < least + slack || isNear(index - 1, length) || isNear(index + 1, length)
    }.map { samples[$0] }
    self.least = least
    clean = kept.isEmpty ? [Sample(sent: 0, length: least)] : kept
  }

  /// The longest clean one.
  var longest: Double { clean.map(\.length).max() ?? least }

  /// The round trips of the clean samples on both sides of an instant.
  struct Near {
    var before: Double
    var after: Double

    /// The one that is taken.
    func length(_ choice: Choice) -> Double {
      switch choice {
      case .low: min(before, after)
      case .high: max(before, after)
      case .middle: (before + after) / 2
      }
    }
  }

  /// The round trips beside an instant.
  func near(_ sent: Double) -> Near {
    let index = firstIndex(from: sent)
    return Near(before: clean[max(0, index - 1)].length, after: clean[min(index, clean.count - 1)].length)
  }

  /// The round trip of what is sent at an instant, between the neighbouring clean samples.
  func length(at sent: Double, _ choice: Choice = .middle) -> Double { near(sent).length(choice) }

  /// The lines of the clean samples beside an instant.
  func lines(at sent: Double) -> [Int] {
    let index = firstIndex(from: sent)
    let (before, after) = (max(0, index - 1), min(index, clean.count - 1))
    return [clean[before].line, before == after ? nil : clean[after].line].compactMap(\.self)
  }

  /// Whether the answered ping of this instant is a clean sample.
  func isClean(_ sent: Double) -> Bool {
    let index = firstIndex(from: sent)
    return index < clean.count && clean[index].sent == sent
  }

  /// The most that a first retransmission can take, by RFC 6298 with its floor of one second.
  func retransmission(at sent: Double) -> Double { retransmission(near(sent)) }

  /// The same where the round trips beside the instant are known.
  func retransmission(_ near: Near) -> Double {
    let high = near.length(.high)
    return high + max(second, 2 * high, 4 * (high - least))
  }

  private func firstIndex(from sent: Double) -> Int {
    var (low, high) = (0, clean.count)
    while low < high {
      let middle = (low + high) / 2
      if clean[middle].sent < sent { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
