internal import GoldwireMachines

/// Own bytes of one connection whose acknowledgement came as soon as a round trip allows: no outage caught them.
///
/// An acknowledgement proves the path and the peer's host, not the server behind it.
struct Deliveries {
  /// When they were sent, in order, and when each was known to have arrived.
  private(set) var sent: [Double] = []
  private(set) var known: [Double] = []
  /// When something that a server itself had sent came in, in order.
  private(set) var heard: [Double] = []

  init(_ connection: RecordedConnection, _ trips: RoundTrips) {
    guard !connection.acknowledgements.isEmpty else { return }
    var place = 0
    let own = connection.ownSends
    for acknowledgement in connection.acknowledgements {
      while place < own.count, own[place].line < acknowledgement.line {
        let at = own[place].at
        place += 1
        guard acknowledgement.at - at < trips.length(at: at, .high) + trips.slack else { continue }
        sent.append(at)
        known.append(acknowledgement.at)
      }
    }
    heard = (connection.arrivals + connection.answers.map(\.answered)).sorted()
  }

  /// The last one before an instant.
  func last(before instant: Double) -> Double? {
    let place = sent.place(from: instant)
    return place > 0 ? sent[place - 1] : nil
  }

  /// The first one at an instant or after it, with the first sign of the server itself since it was known to have arrived.
  func first(from instant: Double) -> (sent: Double, heard: Double)? {
    let place = sent.place(from: instant)
    guard place < sent.count, let sign = heard.first(from: known[place]) else { return nil }
    return (sent[place], sign)
  }
}

extension RecordedConnection {
  /// All that the client sent, in the order of the recording.
  var ownSends: [(at: Double, line: Int)] {
    let own = pings.map { (at: $0.sent, line: $0.line) } + zip(sends, sendLines).map { (at: $0, line: $1) }
    return own.sorted { $0.line < $1.line }
  }

  /// The last acknowledgement that came while the connection lived.
  ///
  /// A client's close waits behind what an outage holds, so a capture sees it late: with the acknowledgement that frees it.
  var lastAcknowledgement: Acknowledgement? {
    guard let end else { return acknowledgements.last }
    let limit = min(end, endDue.map(Double.init) ?? end)
    return acknowledgements.last { $0.at <= limit }
  }

  /// When the last of the own bytes was sent that the peer's host is known to have.
  var lastDelivered: Double? {
    guard let last = lastAcknowledgement else { return nil }
    return ownSends.last { $0.line < last.line }?.at
  }

  /// Whether what a line tells of had reached the peer's host before the connection's end.
  func isDelivered(_ line: Int) -> Bool { lastAcknowledgement.map { $0.line > line } ?? false }
}
