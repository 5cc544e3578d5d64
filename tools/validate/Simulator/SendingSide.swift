/// One direction of a TCP connection, as its sender keeps it: what is acknowledged, and when to send again (RFC 6298).
///
/// It has no clock: whoever carries it sets the timers that it asks for. Each function gives the places of the segments
/// that are to be sent now. A segment is a message.
struct SendingSide<Payload> {
  /// A segment.
  struct Segment {
    var payload: Payload
    var sent: Int?
    var isRepeated = false
  }

  /// A timer that counts as long as its stamp is the latest.
  struct Timer {
    var stamp: Int
    /// When to send again, and when to probe for a lost last segment.
    var retransmission: Int
    var probe: Int?
  }

  private(set) var segments: [Segment] = []
  /// The first segment without an acknowledgement, and the first that was never sent.
  private(set) var first = 0
  private(set) var next = 0
  /// How often in a row nothing was acknowledged.
  private(set) var backoff = 0
  private var smoothed: Int?
  private var variance = 0
  private var stamp = 0
  /// Since when the retransmission timer runs: not anew with each segment (RFC 6298, 5.1).
  private var since = 0
  private var duplicates = 0
  private let leastWait: Int
  private let mostWait: Int
  private let probes: Bool

  init(leastWait: Int, mostWait: Int, probes: Bool) {
    (self.leastWait, self.mostWait, self.probes) = (leastWait, mostWait, probes)
  }

  /// Whether something waits for its acknowledgement.
  var isOutstanding: Bool { first < next }

  /// Takes a message; while the oldest one is being sent again, it waits.
  mutating func send(_ payload: Payload, at now: Int) -> [Int] {
    segments.append(Segment(payload: payload))
    if !isOutstanding { since = now }
    return backoff == 0 ? flush(now) : []
  }

  /// The timer that is to be set after what was just sent or acknowledged; it makes all others void.
  mutating func timer(at now: Int) -> Timer? {
    stamp += 1
    guard isOutstanding else { return nil }
    var probe: Int?
    if probes, backoff == 0, let smoothed { probe = now + max(2 * smoothed, 10_000) }
    return Timer(stamp: stamp, retransmission: max(now, since + wait), probe: probe)
  }

  /// The retransmission timer fired.
  mutating func expire(_ stamp: Int, at now: Int) -> [Int] {
    guard stamp == self.stamp, isOutstanding else { return [] }
    backoff += 1
    since = now
    mark(first, now)
    return [first]
  }

  /// The probe's timer fired: the last segment is sent once more.
  mutating func probe(_ stamp: Int, at now: Int) -> [Int] {
    guard stamp == self.stamp, isOutstanding else { return [] }
    mark(next - 1, now)
    return [next - 1]
  }

  /// The peer has all segments before this place.
  mutating func acknowledge(_ count: Int, at now: Int) -> (repeats: [Int], isNews: Bool) {
    guard count > first else {
      guard isOutstanding else { return ([], false) }
      duplicates += 1
      guard duplicates == 3 else { return ([], false) }
      mark(first, now)
      return ([first], false)
    }
    let last = segments[count - 1]
    if !last.isRepeated, let sent = last.sent { measure(now - sent) }
    first = count
    duplicates = 0
    since = now
    guard backoff > 0 else { return ([], true) }
    backoff = 0
    for place in first..<max(first, next) { mark(place, now) }
    return (Array(first..<max(first, next)) + flush(now), true)
  }

  private mutating func flush(_ now: Int) -> [Int] {
    let places = Array(next..<segments.count)
    for place in places { mark(place, now) }
    next = segments.count
    return places
  }

  private mutating func mark(_ place: Int, _ now: Int) {
    if segments[place].sent == nil { segments[place].sent = now } else { segments[place].isRepeated = true }
  }

  private mutating func measure(_ trip: Int) {
    guard let known = smoothed else {
      (smoothed, variance) = (trip, trip / 2)
      return
    }
    variance = (3 * variance + abs(known - trip)) / 4
    smoothed = (7 * known + trip) / 8
  }

  /// How long until the oldest segment is sent again.
  private var wait: Int {
    let base = smoothed.map { max($0 + 4 * variance, $0 + leastWait) } ?? 1_000_000
    return min(base << min(backoff, 20), mostWait)
  }
}

/// The same direction as its receiver keeps it: in order, with what came too early held back.
struct ReceivingSide {
  /// How many segments came in order.
  private(set) var count = 0
  private var early: Set<Int> = []

  /// Takes a segment, and gives the places of those that are now in order.
  mutating func receive(_ place: Int) -> Range<Int> {
    if place >= count { early.insert(place) }
    let start = count
    while early.remove(count) != nil { count += 1 }
    return start..<count
  }
}
