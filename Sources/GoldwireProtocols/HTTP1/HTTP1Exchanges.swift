/// The requests of one connection that wait for their responses; both directions' decoders share it.
///
/// A response answers the oldest request that waits. Interim responses answer without ending the wait.
public struct HTTP1Exchanges: Sendable {
  struct Entry: Equatable, Sendable {
    var method: HTTPMethod
    var upgrade: HTTP1Successor?
  }

  /// How far requests and responses can be told to belong together.
  private enum Pairing: Sendable {
    /// In order.
    case inOrder
    /// Bytes are missing: only the latest request can be answered, since this client does not pipeline.
    case latest
    /// Bytes of a client that pipelines are missing: nothing is paired any more.
    case lost
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

  /// The ordinal of the last request that may be answered.
  private var last: Int?
  private var waiting: [Entry] = []
  private var first: Int = 0
  private var pairing: Pairing = .inOrder

  /// Makes the exchanges of a connection on which nothing was said yet.
  public init() {}

  /// The number of requests that wait for their final response.
  public var outstanding: Int { waiting.count &- first }

  /// The ordinal of the oldest request that waits, or nil.
  public var oldest: Int? { outstanding > 0 ? count &- outstanding : nil }

  /// Whether requests and responses can still be told to belong together.
  public var isPaired: Bool { pairing != .lost }

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
      pairing = .lost
      return nil
    }
    waiting.append(entry)
    return ordinal
  }

  /// Finds the request that a response answers.
  mutating func answer(isInterim: Bool) -> (ordinal: Int, entry: Entry)? {
    switch pairing {
    case .lost:
      forget()
      return nil
    case .latest:
      if outstanding > 1 { first = waiting.count &- 1 }
      if !isInterim { pairing = .inOrder }
    case .inOrder:
      if outstanding > 1 { isPipelined = true }
    }
    guard let ordinal = oldest else { return nil }
    let entry = waiting[first]
    guard !isInterim else { return (ordinal, entry) }
    first &+= 1
    if first == waiting.count {
      forget()
    } else if first >= 64, first &* 2 >= waiting.count {
      waiting.removeFirst(first)
      first = 0
    }
    return (ordinal, entry)
  }

  /// Notes that heads may be among the bytes that the recording misses.
  mutating func headsLost() {
    pairing = isPipelined || pairing == .lost ? .lost : .latest
  }

  private mutating func forget() {
    waiting.removeAll(keepingCapacity: true)
    first = 0
  }
}
