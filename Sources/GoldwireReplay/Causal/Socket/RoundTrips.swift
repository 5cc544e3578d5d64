/// The round trips of a recording, and what they allow to say of instants between them.
///
/// A sample is clean if it is hardly slower than the least, or at a level that is kept: a step of the path's delay. What is
/// alone, or beside one other alone, may as well have waited for an outage or a stall to end.
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
  /// What two round trips may differ by and still be as long: a retransmission takes 0.2 s at least.
  let slack: Double
  /// How far round trips side by side usually lie apart, twice: what jitter may add to the slowest that was seen.
  let jitter: Double
  /// The longest clean one.
  let longest: Double

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
    let lengths = samples.map(\.length)
    least = lengths.min() ?? 0.1 * second
    jitter = 2 * zip(lengths, lengths.dropFirst()).map { abs($0 - $1) }.lowerMedian
    let usual = min(lengths.lowerMedian - least + 2 * jitter, Self.longestStep * second)
    let limit = least + max(slack, usual)
    let (least, second, slack) = (least, second, slack)
    let kept = samples.indices.filter { place in
      let isStep = lengths[place] < least + Self.longestStep * second
      return lengths[place] < limit
        || Self.isLevel(lengths, at: place, of: isStep ? 2 : 3, within: slack)
    }.map { samples[$0] }
    clean = kept.isEmpty ? [Sample(sent: 0, length: least)] : kept
    longest = clean.map(\.length).max() ?? least
  }

  /// How much slower than the least a path is, in seconds, for two round trips to show it: the first retransmission by
  /// RFC 6298, 2.1.
  private static let longestStep = 1.0

  /// Whether a round trip is one of so many in a row that are as long.
  private static func isLevel(
    _ lengths: [Double], at place: Int, of needed: Int, within slack: Double
  ) -> Bool {
    (max(0, place + 1 - needed)...place).contains { first in
      guard first + needed <= lengths.count else { return false }
      let row = lengths[first..<first + needed]
      return (row.max() ?? 0) - (row.min() ?? 0) < slack
    }
  }

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

  /// Between which lengths what is sent at an instant comes back, by the two clean samples on either side of it; or about
  /// the length that something makes it take.
  func range(at sent: Double, around length: Double? = nil) -> ClosedRange<Double> {
    if let length { return length - slack...length + slack }
    let index = firstIndex(from: sent)
    var (low, high) = (Double.infinity, -Double.infinity)
    for sample in clean[max(0, index - 2)..<min(clean.count, index + 2)] {
      (low, high) = (min(low, sample.length), max(high, sample.length))
    }
    return low - margin...high + margin
  }

  /// How much longer or shorter than its neighbours a round trip may be.
  private var margin: Double { max(slack, jitter) }

  /// What no round trip that nothing delays is expected to take.
  var limit: Double { longest + margin }

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

extension [Double] {
  /// The one in the middle, the lower of two; 0 of none.
  fileprivate var lowerMedian: Double { isEmpty ? 0 : sorted()[(count - 1) / 2] }
}
