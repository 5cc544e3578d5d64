import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// One entry of a HAR, reduced to what a trace needs: numbers, hashes, and the lines of the response's head that
/// are read once the clock is known.
struct HAREntry {
  /// A WebSocket's message, control frame or failure.
  struct Message {
    /// What it is.
    enum Kind {
      case text, binary, ping, pong, close, failure
    }

    /// µs since 1970; nil where the file does not say.
    var time: Int?
    var direction: Direction
    var kind: Kind
    /// The payload's bytes.
    var bytes = 0
    /// The hash of a ping's or pong's payload.
    var content: UInt64 = 0
    /// A close's code.
    var code: Int?
    /// Whether it is an application-level heartbeat.
    var beat: BeatMark?
  }

  /// The longest phase of an entry, in µs.
  static let longest = 100_000_000_000_000

  /// When it began, in µs since 1970.
  var start: Int
  /// From there to the request's first byte, in µs.
  var lead: Int
  /// From there to the request's end, in µs.
  var sent: Int
  /// From there to the response's head, in µs.
  var answered: Int
  /// From there to the response's end, in µs.
  var ended: Int

  /// What the request is, its channel once it has one, and what a later try is compared by.
  var exchange: Exchange
  /// The hash of the server's endpoint.
  var endpoint: UInt64
  /// Whether TLS is spoken.
  var isSecure: Bool
  /// The hash of the connection's name; 0 where the file has none.
  var connection: UInt64 = 0
  /// What `Last-Event-ID` holds.
  var cursor: EventID?
  /// The hash of the idempotency key; 0 for none.
  var key: UInt64
  /// The announced bytes of the request's body.
  var announced: Int?
  /// The bytes of the request's body.
  var sentBytes = 0
  /// The response's status as it stands; 0 for no response.
  var status: Int
  /// The response's head.
  var head: [UInt8]
  /// The bytes of the response's body.
  var receivedBytes = 0
  /// Whether the response's body is an event stream.
  var isEventStream = false
  /// How it failed.
  var failure: HARFailure?
  /// Whether the file says neither how it was answered nor how it failed.
  var isUnexplained = false
  /// The messages of a WebSocket, in the order of the file.
  var messages: [Message] = []
  /// What an event stream's body held.
  var stream = HARStream()

  /// Counts the phases from the request's first byte.
  mutating func startAtRequest() {
    sent &-= min(lead, sent)
    answered &-= min(lead, answered)
    ended &-= min(lead, ended)
    lead = 0
  }

  /// Whether there is a response.
  var isAnswered: Bool { status > 0 || exchange.kind == .webSocket && hasTalked }

  /// Whether a WebSocket's messages show that it was open.
  var hasTalked: Bool { messages.contains { $0.kind != .failure } }
}
