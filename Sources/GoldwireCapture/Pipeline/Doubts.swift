import GoldwireBytes
import GoldwirePackets
import GoldwireProtocols

// Connections of which heads are missing, so that responses cannot be paired with requests for sure.
extension CaptureRecorder {
  /// How long nothing must have been said, in µs, until all that waits is taken for answered.
  private static let quiet = 1_000_000

  /// Looks at bytes of a connection on which responses are not paired, before they are read.
  mutating func doubt(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    let slot = connections[index].http
    guard let client = connections[index].client else { return }
    let sent = table.facts(of: index, client)
    https[slot].pairing.isBehind = sent.unseenBytes > 0
    skip(before: https[slot].pairing.oldest ?? https[slot].pairing.count, of: index)
    let (last, number) = (https[slot].lastDoubt, https[slot].pairing.doubts)
    https[slot].lastDoubt = (now, number)
    let isQuiet = last.number == number && now &- last.time >= CaptureRecorder.quiet
    guard isQuiet, side == client, !https[slot].pairing.isPipelined, https[slot].responses.isBetweenMessages,
      HTTP1Recognition.judge(bytes) == .request, sent.unacknowledgedBytes <= bytes.count
    else { return }
    let received = table.facts(of: index, client.other)
    guard received.unseenBytes == 0, received.isAllAcknowledged, !received.hasHole else { return }
    https[slot].pairing.settle()
    skip(before: https[slot].pairing.count, of: index)
  }

  /// Lets the requests before an ordinal go, of which nobody knows whether they were answered.
  mutating func skip(before ordinal: Int, of index: Int) {
    for exchange in https[connections[index].http].skip(before: ordinal) where exchange.kind != .http {
      release(exchange.channel, exchange.generation)
    }
  }
}
