import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// The HTTP/1 side of a connection: both decoders, the requests that wait, and the bodies under way.
struct HTTPState {
  /// Which response answers which request.
  var pairing = HTTP1Exchanges()
  /// What of ``weight`` is counted among all connections' yet.
  var counted = 0
  /// The bytes of the body that is being received so far.
  var receivedBytes = 0
  /// How many requests wait, here so that the list need not be looked at.
  private var waitingCount = 0
  /// What the server sends.
  var responses = HTTP1Decoder(.responses)
  /// What the client sends.
  var requests = HTTP1Decoder(.requests)
  /// The client ended its stream before the answer to its handshake: what the server sends now is nobody's.
  var isGivenUp = false
  /// The requests that wait for their final response, in order.
  private(set) var waiting: [Exchange] = []
  /// The ordinal of the first of them.
  private(set) var firstOrdinal = 0
  /// The request whose body is being sent, and its ordinal.
  var sending: (ordinal: Int, exchange: Exchange)?
  /// The hash of that body so far.
  var sentHash: KeyedHash
  /// The bytes of that body so far.
  var sentBytes = 0
  /// The request whose response is being received.
  var receiving: Exchange?
  /// The extensions that the latest opening handshake offered.
  var offer = WebSocketExtensions()
  /// What the client sent of another protocol before the response that switches to it.
  var early: [UInt8] = []
  /// Whether what the server's decoder says now comes of missing bytes.
  var isInHole = false

  /// What a request that waits counts for, in bytes.
  private static let exchangeBytes = 256

  /// The opening handshake whose answer lies in a hole, while nothing that came since speaks against its success.
  var hiddenAnswer: Exchange?

  /// When a byte came last while responses could not be paired, and in which time of doubt that was.
  var lastDoubt = (time: 0, number: 0)

  /// Makes the state of a connection on which nothing was said yet.
  init(key: UInt64) { sentHash = KeyedHash(key: key) }

  /// The next event of the client's bytes.
  mutating func nextRequest(_ bytes: Span<UInt8>, _ offset: inout Int) -> HTTP1Event? {
    requests.next(bytes, &offset, exchanges: &pairing)
  }

  /// The next event of the server's bytes.
  mutating func nextResponse(_ bytes: Span<UInt8>, _ offset: inout Int) -> HTTP1Event? {
    responses.next(bytes, &offset, exchanges: &pairing)
  }

  /// The next event at the end of a direction.
  mutating func finish(_ direction: Direction) -> HTTP1Event? {
    direction == .out ? requests.finish() : responses.finish()
  }

  /// Tells a direction's decoder of missing bytes.
  mutating func lost(_ bytes: Int?, _ direction: Direction) -> GapOutcome {
    direction == .out
      ? requests.lost(bytes, exchanges: &pairing) : responses.lost(bytes, exchanges: &pairing)
  }

  /// Whether it is known that what waits has got no response.
  var isUnanswered: Bool { pairing.isUnanswered }

  /// The bytes that are held: of unfinished messages, and for requests that wait.
  @inline(__always)
  var weight: Int {
    requests.held.count &+ responses.held.count &+ early.count &+ waitingCount &* HTTPState.exchangeBytes
  }

  /// Whether an opening handshake waits for its answer, and nothing else.
  var isHandshakeAlone: Bool {
    waiting.count == 1 && waiting[0].kind == .webSocket && receiving == nil && isUnanswered
      && requests.held.isEmpty && early.isEmpty
  }

  // MARK: Waiting requests

  /// Adds a request.
  mutating func wait(_ exchange: Exchange, ordinal: Int) {
    if waiting.isEmpty { firstOrdinal = ordinal }
    waiting.append(exchange)
    waitingCount = waiting.count
  }

  /// The request of an ordinal, which stays.
  func peek(_ ordinal: Int) -> Exchange? {
    let index = ordinal &- firstOrdinal
    return waiting.indices.contains(index) ? waiting[index] : nil
  }

  /// Takes the opening handshake for answered that waits alone, since missing bytes begin where its answer does.
  mutating func hideAnswer() {
    guard !pairing.isPaired, pairing.outstanding == 0, waiting.count == 1, waiting[0].kind == .webSocket
    else { return }
    hiddenAnswer = takeAll().first
  }

  /// What the client sent of another protocol, which leaves.
  mutating func takeEarly() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &early)
    return requests.isSwitched ? requests.held + taken : taken
  }

  /// The requests before an ordinal, which leave.
  mutating func skip(before ordinal: Int) -> [Exchange] {
    let count = min(max(ordinal &- firstOrdinal, 0), waiting.count)
    guard count > 0 else { return [] }
    let all = Array(waiting[..<count])
    waiting.removeSubrange(..<count)
    waitingCount = waiting.count
    firstOrdinal &+= count
    return all
  }

  /// The request of an ordinal, which leaves with all that were before it.
  mutating func take(_ ordinal: Int) -> Exchange? {
    let index = ordinal &- firstOrdinal
    guard waiting.indices.contains(index) else { return nil }
    let found = waiting[index]
    waiting.removeSubrange(...index)
    waitingCount = waiting.count
    firstOrdinal = ordinal &+ 1
    return found
  }

  /// The latest request that waits, or whose response is under way.
  var last: Exchange? { waiting.last ?? receiving ?? hiddenAnswer }

  /// All requests that wait, which leave.
  mutating func takeAll() -> [Exchange] {
    var all: [Exchange] = []
    swap(&all, &waiting)
    waitingCount = 0
    return all
  }

  /// Says that the request of an ordinal was sent to its end.
  mutating func sent(_ ordinal: Int, body: UInt64?) {
    let index = ordinal &- firstOrdinal
    guard waiting.indices.contains(index) else { return }
    waiting[index].isSent = true
    waiting[index].body = body
  }
}
