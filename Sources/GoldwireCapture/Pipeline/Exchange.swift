import GoldwireTrace

/// One request on the wire, until its response is over.
struct Exchange {
  /// What the request is to a trace.
  enum Kind: UInt8 {
    /// A request of an HTTP channel.
    case http
    /// A WebSocket's opening handshake.
    case webSocket
    /// The request of an event stream.
    case eventStream
  }

  /// What it is.
  var kind: Kind
  /// Its channel's index in the book, or -1.
  var channel: Int
  /// The generation.
  var generation: Int
  /// The logical request.
  var request = 0
  /// Its try.
  var attempt = 1
  /// Its hop, 0 for none.
  var hop = 0
  /// What a later try is compared by.
  var identity: PastRequests.Identity
  /// After a redirect: what the chain of hops began with.
  var start: PastRequests.Start?
  /// The hash of the path without query.
  var path: UInt64 = 0
  /// The hash of the host; 0 for none.
  var host: UInt64 = 0
  /// The hash of the target up to its last slash, to resolve a redirect with.
  var base: KeyedHash
  /// Whether the request is complete.
  var isSent = false
  /// The hash of the body, once complete.
  var body: UInt64?
  /// The hash of the first try's body, if this is a later try and that one was complete.
  var expected: UInt64?

  /// The hop as it is written.
  var hopKey: Int? { hop > 0 ? hop : nil }
}
