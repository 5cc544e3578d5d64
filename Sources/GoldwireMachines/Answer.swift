public import GoldwireProtocols

/// The head of a response, as far as a machine decides by it.
///
/// `retryAfter` dates, `date` and `wall` count from one origin, whichever it is: 1970 in a live client,
/// the midnight before the recording in a trace.
public struct Answer: Equatable, Sendable {
  /// The status code.
  public var status: Int
  /// What `Retry-After` says.
  public var retryAfter: RetryAfter
  /// The response's own `Date`, in seconds.
  public var date: Int?
  /// The response's `Age`, in seconds; a response with one comes from a cache.
  public var age: Int?
  /// The local wall clock at receipt, in microseconds; needed for dates alone.
  public var wall: Int?
  /// The random unit for a wait that may follow, in millionths, from 0 to 1,000,000.
  public var unit: Int

  /// Makes the head of a response.
  public init(
    status: Int, retryAfter: RetryAfter = .absent, date: Int? = nil, age: Int? = nil,
    wall: Int? = nil, unit: Int = 1_000_000
  ) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
    self.age = age
    self.wall = wall
    self.unit = unit
  }

  /// A status that another will follow for the same request: 1xx, but for the switch of protocols.
  public var isInterim: Bool { (100..<200).contains(status) && status != 101 }
}
