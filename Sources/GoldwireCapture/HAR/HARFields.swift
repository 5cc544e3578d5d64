import GoldwireProtocols
import GoldwireTrace

/// What was found in one entry of a HAR: numbers, and where in the text strings stand.
struct HARFields {
  /// A header line that matters.
  struct Header {
    let name: HARHeader
    let value: HARCursor.Text
  }

  /// One of `_webSocketMessages`.
  struct Message {
    var type: HARCursor.Text?
    /// µs since 1970.
    var time: Int?
    var opcode: Int?
    var data: HARCursor.Text?
    var code: Int?
  }

  /// One of `_eventSourceMessages`.
  struct StreamEvent {
    /// µs since 1970.
    var time: Int?
    var id: HARCursor.Text?
    var type: HARCursor.Text?
    var data: HARCursor.Text?
  }

  /// A request or a response.
  struct Part {
    var headers: [Header] = []
    var bodySize: Int?
    var text: HARCursor.Text?
  }

  /// The lengths of an entry's phases, in µs; 0 where one is not known.
  struct Timings {
    var blocked = 0
    var dns = 0
    var connect = 0
    var send = 0
    var wait = 0
    var receive = 0

    /// From the start to the request's first byte.
    var lead: Int { blocked &+ dns &+ connect }
    /// From the start to the request's end.
    var sent: Int { lead &+ send }
  }

  var started: HARDate?
  var time: Int?
  var timings: Timings?
  var method: HARCursor.Text?
  var url: HARCursor.Text?
  var request = Part()
  var status: Int?
  var response = Part()
  var contentSize: Int?
  var isBase64 = false
  var mimeType: HARCursor.Text?
  var redirect: HARCursor.Text?
  /// Texts that say how the entry failed.
  var failures: [HARCursor.Text] = []
  /// The state that Charles keeps.
  var state: HARCursor.Text?
  var connection: HARCursor.Text?
  /// Whether a cache or a service worker answered.
  var isCached = false
  /// Whether the response is one that the browser gave itself.
  var isInternal = false
  var resourceType: HARCursor.Text?
  var messages: [Message] = []
  var events: [StreamEvent] = []
}

/// The headers that a trace needs something of.
enum HARHeader: CaseIterable {
  case accept, connection, contentLength, idempotencyKey, lastEventID, upgrade
  case age, contentType, date, location, retryAfter, webSocketExtensions

  /// The name in lower case.
  var text: StaticString {
    switch self {
    case .accept: "accept"
    case .age: "age"
    case .connection: "connection"
    case .contentLength: "content-length"
    case .contentType: "content-type"
    case .date: "date"
    case .idempotencyKey: "idempotency-key"
    case .lastEventID: "last-event-id"
    case .location: "location"
    case .retryAfter: "retry-after"
    case .upgrade: "upgrade"
    case .webSocketExtensions: "sec-websocket-extensions"
    }
  }
}
