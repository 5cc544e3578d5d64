/// The decoder of one direction of a WebSocket connection (RFC 6455, with permessage-deflate of RFC 7692).
///
/// Nothing is put together: payloads are checked, inflated and counted as they pass. A frame that breaks a rule is still
/// reported, and the rule's event follows it.
public struct WebSocketDecoder {
  /// Who sends the frames.
  public let peer: WebSocketPeer
  /// The limits in force.
  public let limits: WebSocketLimits
  /// The content that the latest event is about: a control frame's payload, or a message's, as far as it is kept.
  public private(set) var payload: [UInt8] = []

  /// Makes a decoder for the first frame after a handshake.
  ///
  /// `extensions` are those that the server agreed to. `inflater` (raw deflate) is needed only if permessage-deflate is
  /// among them; without it compressed messages are undecodable. `inMiddle` says that earlier frames were not seen, so that
  /// the compression window is not known.
  public init(
    from peer: WebSocketPeer, extensions: WebSocketExtensions = WebSocketExtensions(),
    inflater: (any Inflating)? = nil, inMiddle: Bool = false, limits: WebSocketLimits = WebSocketLimits()
  ) {
    self.peer = peer
    self.limits = limits
  }

  /// Whether decoding ended: a frame's length is not possible; further bytes are swallowed.
  public var isStopped: Bool { false }

  /// Takes bytes from `offset` on and gives the next event, or nil when it needs more.
  ///
  /// `now` is the instant of these bytes; messages carry that of their first byte.
  public mutating func next(_ bytes: Span<UInt8>, _ offset: inout Int, at now: Int) -> WebSocketEvent? {
    offset = bytes.count
    return nil
  }

  /// Says that the recording misses the next `count` bytes, or an unknown number of them if nil.
  public mutating func lost(_ count: Int?) -> GapOutcome { .ignored }
}
