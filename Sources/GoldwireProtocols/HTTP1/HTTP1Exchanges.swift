/// The requests of one connection that wait for their responses; both directions' decoders share it.
///
/// A response answers the oldest request that waits. Interim responses answer without ending the wait.
public struct HTTP1Exchanges: Sendable {
  struct Entry: Equatable, Sendable {
    var method: HTTPMethod
    var upgrade: HTTP1Successor?
    /// Whether it waits for an interim response before it goes on.
    var isExpectant: Bool = false
  }

  /// The number of requests seen, which is the ordinal of the next one.
  public private(set) var count: Int = 0
  /// What the connection speaks from now on, once a response has switched it.
  public internal(set) var successor: HTTP1Successor?
  /// Whether a response was paired while another request waited behind it.
  public private(set) var isPipelined: Bool = false

  /// Whether a rule that was broken closes the connection: nothing after it is decoded, in either direction.
  public private(set) var isOver: Bool = false
  /// Whether bytes came after that.
  public private(set) var hasSwallowed: Bool = false

  /// The latest request whose expectation was answered by an error (RFC 9110 section 10.1.1).
  private(set) var refused: Int?

  /// The ordinal of the last request that may be answered.
  private var last: Int?
  private var waiting: [Entry] = []
  private var first: Int = 0
  /// Whether responses may be among bytes that nobody could read, and no later one has told yet which.
  private var hasHiddenResponses: Bool = false
  /// The ordinal before which an unknown number of requests is missing.
  private var hiddenRequests: Int?
  /// Whether a response came that could not be assigned, so that what waits may be answered.
  private var hasUnassigned: Bool = false

  /// Whether each response answers the oldest request that waits.
  public private(set) var isPaired: Bool = true
  /// How many times ``isPaired`` became false.
  public private(set) var doubts: Int = 0
  /// Whether it is known that bytes of the client are missing that ``HTTP1Decoder/lost(_:exchanges:)`` was not told of yet.
  public var isBehind: Bool = false

  /// Makes the exchanges of a connection on which nothing was said yet.
  public init() {}

  /// The number of requests that wait for their final response.
  public var outstanding: Int { waiting.count &- first }

  /// The ordinal of the oldest request that waits, or nil.
  public var oldest: Int? { outstanding > 0 ? count &- outstanding : nil }

  /// Whether it is known that what waits has got no response.
  public var isUnanswered: Bool { !hasHiddenResponses && !hasUnassigned }

  /// The upgrade or tunnel that the latest request asked for and that was not answered yet.
  var pendingUpgrade: HTTP1Successor? { outstanding > 0 ? waiting.last?.upgrade : nil }

  /// Says that the connection closes after the response to a request (RFC 9112 sections 2.2 and 6).
  mutating func closes(after ordinal: Int?) { last = last ?? ordinal ?? max(count &- 1, 0) }

  /// Whether the connection closes after the response to this request.
  func isLast(_ ordinal: Int?) -> Bool {
    guard let last, let ordinal else { return false }
    return ordinal >= last
  }

  /// Says that a direction is not decoded any more, and whether bytes of it came since.
  mutating func stop(_ role: HTTP1Role, _ ordinal: Int?, swallows: Bool) {
    if isOver {
      hasSwallowed = hasSwallowed || swallows
    } else if role == .responses {
      isOver = true
      hasSwallowed = swallows
    } else {
      closes(after: ordinal)
    }
  }

  /// Adds a request; nil if too many wait, after which nothing is paired any more.
  mutating func add(_ entry: Entry, limit: Int) -> Int? {
    let ordinal = count
    count = count &+ 1
    guard outstanding < limit else {
      forget()
      hasUnassigned = true
      headsLost(.requests, begins: false)
      return nil
    }
    waiting.append(entry)
    return ordinal
  }

  /// Finds the request that a response answers.
  mutating func answer(isInterim: Bool, isError: Bool) -> (ordinal: Int, entry: Entry)? {
    if !isPaired, !resolve(isInterim: isInterim) { return nil }
    if outstanding > 1 { isPipelined = true }
    guard let ordinal = oldest else { return nil }
    let entry = waiting[first]
    if !isInterim { pass() }
    if isError, entry.isExpectant { refused = ordinal }
    return (ordinal, entry)
  }

  /// Whether the response whose head came answers the oldest request that waits, where bytes are missing.
  ///
  /// Of two that it may answer it is assigned to neither.
  private mutating func resolve(isInterim: Bool) -> Bool {
    if hasHiddenResponses {
      guard hiddenRequests == nil, !isBehind, outstanding == 1 else { return leave(isInterim) }
      hasHiddenResponses = false
      hasUnassigned = false
      isPaired = true
    } else if let hiddenRequests {
      guard let oldest, oldest < hiddenRequests else { return leave(isInterim) }
    }
    return true
  }

  private mutating func leave(_ isInterim: Bool) -> Bool {
    guard !isInterim else { return false }
    hasUnassigned = true
    if outstanding > 0 { pass() }
    return false
  }

  private mutating func pass() {
    first &+= 1
    if first == waiting.count {
      forget()
    } else if first >= 64, first &* 2 >= waiting.count {
      waiting.removeFirst(first)
      first = 0
    }
  }

  /// Notes that heads of a side may be among bytes that nobody could read.
  ///
  /// `begins` says that they start where the server's next message starts: it answers the oldest request that waits.
  mutating func headsLost(_ role: HTTP1Role, begins: Bool) {
    if isPaired { doubts &+= 1 }
    isPaired = false
    guard role == .responses else {
      hiddenRequests = hiddenRequests ?? count
      return
    }
    // Where the client waited to be told to go on, the message may have told it so.
    if begins, !isBehindHidden, outstanding > 0, !waiting[first].isExpectant { pass() }
    hasHiddenResponses = true
  }

  /// Whether the oldest request that waits may be behind missing ones.
  private var isBehindHidden: Bool { hiddenRequests.map { (oldest ?? count) >= $0 } ?? false }

  /// Takes all that waits for answered: from here on each response answers the oldest request that waits again.
  public mutating func settle() {
    forget()
    hasHiddenResponses = false
    hasUnassigned = false
    hiddenRequests = nil
    isPaired = true
  }

  private mutating func forget() {
    waiting.removeAll(keepingCapacity: true)
    first = 0
  }
}
