/// What the server does with one request for an event stream.
package struct StreamBehaviour: Equatable, Sendable {
  /// Where a block is cut into several segments.
  package enum Split: Equatable, Sendable {
    /// Nowhere.
    case none
    /// Behind the first byte of the first character of several.
    case character
    /// Between the CR and the LF of its first line end.
    case lineEnd
    /// Behind each byte.
    case bytes
    /// Behind so many bytes.
    case at(Int)
  }

  /// The ends of lines.
  package enum LineEnd: String, CaseIterable, Sendable {
    case lf
    case cr
    case crlf

    var bytes: [UInt8] {
      switch self {
      case .lf: [0x0A]
      case .cr: [0x0D]
      case .crlf: [0x0D, 0x0A]
      }
    }
  }

  /// One block of the stream: its lines in the order comment, retry, id, event, data.
  package struct Block: Equatable, Sendable {
    package var id: String?
    package var event: String?
    package var data: String?
    package var comment: String?
    package var retry: Int?
    /// How long it is held back after the block before it.
    package var delay: Delay = Delay()
    package var split: Split = .none
    package var lineEnd: LineEnd = .lf
  }

  /// Whether there is an answer, with which status, and what stands in its head.
  package var answer: AnswerBehaviour
  package var blocks: [Block] = []
  /// Whether only blocks after the one that Last-Event-ID names are sent.
  package var resumes: Bool = true
  /// Whether blocks come into being from the server's beginning on, so that what is there already comes at once.
  package var isLive: Bool = false
  /// Whether ids are whole numbers, in order: a Last-Event-ID that is none gets a 400.
  package var hasNumberedIDs: Bool = false
  /// Whether `cut=1` in the query ends the stream after one event.
  package var obeysCut: Bool = false
  /// The events after which the stream breaks off.
  package var cut: Int?
  /// The bytes of the next block that come before it does.
  package var inside: Int = 0
  /// How long the stream stays after its last block.
  package var endDelay: Delay = Delay()
  /// Microseconds between the segments of a block that is split.
  package var gap: Int = 5_000

  /// An empty stream that ends with the connection.
  package init() {
    answer = AnswerBehaviour()
    answer.type = "text/event-stream; charset=utf-8"
    answer.end = .close
  }
}
