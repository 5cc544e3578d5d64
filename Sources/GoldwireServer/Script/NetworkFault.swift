/// A time in which the network between client and server is bad.
///
/// The server plays the network: it holds bytes back on their way in or out.
package struct NetworkFault: Equatable, Sendable {
  /// Which ways are concerned; `out` is from the client to the server, as everywhere in a trace.
  package enum Way: String, CaseIterable, Sendable {
    case out
    case `in`
    case both
  }

  /// When it begins, in microseconds since the connection's request, or since the server began.
  package var from: Int = 0
  /// When it ends; nil for never.
  package var until: Int?
  /// Which ways are concerned.
  package var way: Way = .both
  /// Whether nothing passes; what is sent in it comes at TCP's first retransmission at or after its end.
  package var isHole: Bool = false
  /// The retransmission timeout in microseconds, which doubles each time.
  package var rto: Int = 200_000
  /// The same for what comes first on a connection each way, since a handshake's timeout is another; nil for no other.
  package var firstRTO: Int?
  /// How much later bytes come, where they pass.
  package var delay: Delay = Delay()

  /// A fault that changes nothing.
  package init() {}

  /// The same fault with times that count from another origin, so many microseconds earlier.
  func shifted(by origin: Int) -> NetworkFault {
    var fault = self
    fault.from = from.addingClamped(origin)
    fault.until = until.map { $0.addingClamped(origin) }
    return fault
  }

  /// Whether it concerns a way at an instant.
  func holds(_ isOut: Bool, at instant: Int) -> Bool {
    guard instant >= from, instant < until ?? .max else { return false }
    return way == .both || (way == .out) == isOut
  }
}

/// A time that is waited, with a part that is drawn from the script's seed.
package struct Delay: Equatable, Sendable {
  /// Microseconds that are always waited.
  package var base: Int = 0
  /// The most microseconds that are waited besides.
  package var jitter: Int = 0

  /// The delay for this time.
  func draw(_ random: inout ScriptRandom) -> Int {
    jitter > 0 ? base + random.number(below: jitter + 1) : base
  }
}

extension Int {
  /// The sum, held at the type's limits.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? Int.min : Int.max) : sum
  }
}
