import GoldwireBytes
import GoldwirePackets
import GoldwireProtocols

// Connections of which heads are missing, so that responses cannot be paired with requests for sure.
extension CaptureRecorder {
  /// How long nothing must have been said, in µs, until all that waits is taken for answered.
  private static let quiet = 1_000_000

  /// Looks at bytes of a connection on which responses are not paired, before they are read; true if it took them.
  mutating func doubt(_ bytes: Span<UInt8>, of index: Int, from side: Side) -> Bool {
    let slot = connections[index].http
    guard let client = connections[index].client else { return false }
    let (last, number) = (https[slot].lastDoubt, https[slot].pairing.doubts)
    https[slot].lastDoubt = (now, number)
    if https[slot].hiddenAnswer != nil { return takeUp(bytes, of: index, from: side) }
    let sent = table.facts(of: index, client)
    https[slot].pairing.isBehind = sent.unseenBytes > 0
    skip(before: https[slot].pairing.oldest ?? https[slot].pairing.count, of: index)
    let isQuiet = last.number == number && now &- last.time >= CaptureRecorder.quiet
    guard isQuiet, side == client, !https[slot].pairing.isPipelined, https[slot].responses.isBetweenMessages,
      HTTP1Recognition.judge(bytes) == .request, sent.unacknowledgedBytes <= bytes.count
    else { return false }
    let received = table.facts(of: index, client.other)
    guard received.unseenBytes == 0, received.isAllAcknowledged, !received.hasHole else {
      return false
    }
    https[slot].pairing.settle()
    skip(before: https[slot].pairing.count, of: index)
    return false
  }

  /// Lets the requests before an ordinal go, of which nobody knows whether they were answered.
  mutating func skip(before ordinal: Int, of index: Int) {
    for exchange in https[connections[index].http].skip(before: ordinal) where exchange.kind != .http {
      release(exchange.channel, exchange.generation)
    }
  }

  // MARK: A handshake whose answer is missing

  /// Takes bytes that may be frames, since the answer to an opening handshake is missing; false if they are not.
  ///
  /// A client that was refused sends no frames: whole ones from both sides, or one whose content fits, prove the success.
  private mutating func takeUp(_ bytes: Span<UInt8>, of index: Int, from side: Side) -> Bool {
    guard let client = connections[index].client else { return false }
    let peer: WebSocketPeer = side == client ? .client : .server
    let isFirst = connections[index][prefix: side].isEmpty
    if isFirst, WebSocketRecognition.structure(bytes) != peer { return false }
    hold(bytes, of: index, from: side)
    prove(index)
    return true
  }

  /// Makes a connection a WebSocket's if what is held proves that it is one.
  mutating func prove(_ index: Int) {
    let slot = connections[index].http
    guard let client = connections[index].client, let exchange = https[slot].hiddenAnswer else { return }
    let (out, received) = (connections[index][prefix: client], connections[index][prefix: client.other])
    let isProved =
      WebSocketRecognition.judge(out.span) == .client || WebSocketRecognition.judge(received.span) == .server
      || WebSocketRecognition.structure(out.span) == .client
        && WebSocketRecognition.structure(received.span) == .server
    guard isProved else { return }
    https[slot].hiddenAnswer = nil
    release(connections[index].channel, connections[index].generation)
    (connections[index].channel, connections[index].generation) = (exchange.channel, exchange.generation)
    startSocket(index, WebSocketExtensions(), seen: (out: false, in: false))
    dropHTTP(index)
    for side in [client, client.other] {
      var held: [UInt8] = []
      swap(&held, &connections[index][prefix: side])
      deliver(held.span, of: index, from: side)
    }
  }

  /// Holds bytes that belong to another protocol if the connection has switched to one; no more than so many.
  mutating func hold(_ bytes: Span<UInt8>, of index: Int, from side: Side) {
    guard connections[index][prefix: side].count &+ bytes.count <= CaptureRecorder.mostHeld else {
      connections[index][prefix: side] = []
      return limit(index, direction(side, of: index))
    }
    connections[index][prefix: side].append(bytes)
  }

  private static let mostHeld = HTTP1Recognition.limit

  /// Something speaks against it that a handshake whose answer is missing has succeeded, or nothing more comes.
  mutating func dropHiddenAnswer(of index: Int) {
    let slot = connections[index].http
    guard let exchange = https[slot].hiddenAnswer else { return }
    https[slot].hiddenAnswer = nil
    release(exchange.channel, exchange.generation)
  }
}
