/// What a packet is to TCP.
public enum PacketVerdict: Equatable, Sendable {
  /// A TCP segment; its payload lies in the frame that was decoded.
  case segment(Segment)
  /// A TCP segment put together from fragments; its payload lies in the decoder's datagram.
  case reassembled(Segment)
  /// A report that a TCP segment could not be delivered; the segment is the quoted one, without payload.
  case unreachable(Segment)
  /// A fragment that was kept until the rest comes.
  case fragment
  /// Nothing for TCP.
  case ignored(Reason)

  /// Why a packet is nothing for TCP.
  public enum Reason: UInt8, CaseIterable, Equatable, Sendable {
    /// The link type is not one that can be decoded.
    case linkType
    /// Another protocol than IP on the link (ARP, LLC and the like).
    case notIP
    /// Another protocol than TCP on IP.
    case notTCP
    /// The capture cut the packet within its headers.
    case cut
    /// A header contradicts itself.
    case malformed
    /// A fragment that fits nowhere, or had to be given up at a limit.
    case badFragment
    /// The link encrypts what it carries.
    case encrypted
    /// More tunnels in each other than are followed.
    case nested
  }
}
