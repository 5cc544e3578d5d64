import GoldwirePackets
import GoldwireProtocols
import GoldwireTrace

// Connections that cannot be read.
extension CaptureRecorder {
  /// Writes that a connection cannot be read.
  mutating func makeOpaque(_ index: Int, _ family: Channel.Family, _ why: OpaqueReason) {
    if connections[index].client == nil { setClient(.first, of: index) }
    connections[index].mode = .opaque
    connections[index].prefixes = ([], [])
    let (channel, generation) = claim(family, path: 0, by: index)
    connections[index].channel = channel
    connections[index].generation = generation
    connections[index].why = why
    counts.opaque &+= 1
    emit(.recOpaque(Opaque(at: .open, why: why)), channel, generation)
    guard connections[index].isCut else { return }
    connections[index].isCut = false
    emit(Gap(why: .snaplen), channel, generation)
  }

  /// Writes how such a connection ended, once both sides have.
  mutating func endOpaque(_ index: Int, _ cause: Cause, _ direction: Direction?, isFirst: Bool) {
    if isFirst { connections[index].firstEnd = (cause, direction) }
    guard connections[index].hasEnded.out && connections[index].hasEnded.in || cause == .other else { return }
    let connection = connections[index]
    let client = connection.client ?? .first
    emit(
      .recOpaque(
        Opaque(
          at: .end, why: connection.why, cause: connection.firstEnd.cause, dir: connection.firstEnd.dir,
          out: table.facts(of: index, client).deliveredBytes,
          in: table.facts(of: index, client.other).deliveredBytes)), connection.channel,
      connection.generation)
  }
}

/// The first bytes of a TLS record.
struct TLSRecord {
  /// Who sends it, where a handshake message tells.
  let sender: WebSocketPeer?

  /// Whether bytes are the begin of a record, and too few to tell.
  static func mayBegin(_ bytes: Span<UInt8>) -> Bool {
    guard (1..<6).contains(bytes.count), bytes[0] >= 0x14, bytes[0] <= 0x18 else { return false }
    return (bytes.count < 2 || bytes[1] == 3) && (bytes.count < 3 || bytes[2] <= 4)
  }

  /// Reads the begin of a record; nil if it is none.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 6, bytes[0] >= 0x14, bytes[0] <= 0x18, bytes[1] == 3, bytes[2] <= 4 else {
      return nil
    }
    let length = Int(bytes[3]) << 8 | Int(bytes[4])
    guard length > 0, length <= 16_384 &+ 2_048 else { return nil }
    sender = bytes[0] != 0x16 ? nil : bytes[5] == 1 ? .client : bytes[5] == 2 ? .server : nil
  }
}
