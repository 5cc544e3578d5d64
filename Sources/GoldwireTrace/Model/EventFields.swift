/// The fields of `ws.message`.
public struct WSMessage: Equatable, Sendable {
  /// Which way it went.
  public var dir: Direction
  /// Text or binary.
  public var kind: MessageKind
  /// The payload's bytes, as they were on the wire.
  public var bytes: Int
  /// The instant of its first frame, where it came in several.
  public var since: Int?
  /// Whether it is the preset's application-level ping or pong.
  public var beat: Beat?
  /// The beat's number, as of a ping or pong.
  public var id: Int?

  /// Makes the fields.
  public init(
    dir: Direction, kind: MessageKind, bytes: Int, since: Int? = nil, beat: Beat? = nil, id: Int? = nil
  ) {
    self.dir = dir
    self.kind = kind
    self.bytes = bytes
    self.since = since
    self.beat = beat
    self.id = id
  }
}

/// The fields of `http.send`.
public struct HTTPSend: Equatable, Sendable {
  /// The logical request's number in its channel.
  public var req: Int
  /// Which send of that logical request, from 1.
  public var attempt: Int
  /// Which redirect or re-authentication within the try, from 1; nil for none.
  public var hop: Int?
  /// The method.
  public var method: Method
  /// Whether the caller declared the request replayable.
  public var replayable: Bool?
  /// The pseudonym of its idempotency key.
  public var key: Int?
  /// The body's bytes as announced.
  public var bytes: Int?

  /// Makes the fields.
  public init(
    req: Int, attempt: Int, hop: Int? = nil, method: Method, replayable: Bool? = nil, key: Int? = nil,
    bytes: Int? = nil
  ) {
    self.req = req
    self.attempt = attempt
    self.hop = hop
    self.method = method
    self.replayable = replayable
    self.key = key
    self.bytes = bytes
  }
}

/// The fields of `http.response`.
public struct HTTPResponse: Equatable, Sendable {
  /// The logical request's number in its channel.
  public var req: Int
  /// Which send of that logical request, from 1.
  public var attempt: Int
  /// Which redirect or re-authentication within the try, from 1; nil for none.
  public var hop: Int? {
    get { slimHop.value }
    set { slimHop.value = newValue }
  }
  /// The status, or nil where it was out of range.
  public var status: Int? {
    get { slimStatus.value }
    set { slimStatus.value = newValue }
  }
  /// What it said of a retry, its date and its age.
  public var retry: RetryFields
  /// The media type, where one is known.
  public var type: MediaType?
  /// The number of the event stream that this response turned out to be.
  public var sse: Int? {
    get { slimSse.value }
    set { slimSse.value = newValue }
  }
  private var slimHop: Slim
  private var slimStatus: Slim
  private var slimSse: Slim

  /// Makes the fields.
  public init(
    req: Int, attempt: Int, hop: Int? = nil, status: Int?, retry: RetryFields = RetryFields(),
    type: MediaType? = nil, sse: Int? = nil
  ) {
    self.req = req
    self.attempt = attempt
    slimHop = Slim(hop)
    slimStatus = Slim(status)
    self.retry = retry
    self.type = type
    slimSse = Slim(sse)
  }
}

/// The fields of `http.body`.
public struct HTTPBody: Equatable, Sendable {
  /// The logical request's number in its channel.
  public var req: Int
  /// Which send of that logical request, from 1.
  public var attempt: Int
  /// Which way the body went.
  public var dir: Direction
  /// Its bytes.
  public var bytes: Int
  /// Whether it was whole.
  public var done: Bool?
  /// What differs from the first try of the same logical request.
  public var differs: Differences

  /// Makes the fields.
  public init(
    req: Int, attempt: Int, dir: Direction, bytes: Int, done: Bool? = nil, differs: Differences = []
  ) {
    self.req = req
    self.attempt = attempt
    self.dir = dir
    self.bytes = bytes
    self.done = done
    self.differs = differs
  }
}

/// What a later try changed: `key`, `body`.
public struct Differences: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Makes a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Another idempotency key.
  public static let key = Differences(rawValue: 1)
  /// Another body.
  public static let body = Differences(rawValue: 2)
}

/// The retry keys of a response with its `date` and `age`.
public struct RetryFields: Equatable, Sendable {
  /// What Retry-After said.
  public enum Value: Equatable, Sendable {
    /// `retryAfter`: whole seconds, at most 2^31 − 1.
    case after(Int)
    /// `retryAt`: seconds since the midnight before t = 0.
    case at(Int)
    /// `retryBad`: why it could not be read.
    case bad(RetryFault)
  }

  /// What Retry-After said, or nil where it was absent.
  public var value: Value?
  /// `retryForm`: the obsolete form of a date.
  public var form: RetryForm?
  /// `date`: the response's own Date, in seconds since the midnight before t = 0.
  public var date: Int? {
    get { slimDate.value }
    set { slimDate.value = newValue }
  }
  /// `age`: seconds.
  public var age: Int? {
    get { slimAge.value }
    set { slimAge.value = newValue }
  }
  private var slimDate: Slim
  private var slimAge: Slim

  /// Makes the fields.
  public init(_ value: Value? = nil, form: RetryForm? = nil, date: Int? = nil, age: Int? = nil) {
    self.value = value
    self.form = form
    slimDate = Slim(date)
    slimAge = Slim(age)
  }
}

/// The fields of `rec.gap`.
public struct Gap: Equatable, Sendable {
  /// The direction that has the hole, or nil for both.
  public var dir: Direction?
  /// How many bytes are missing.
  public var bytes: Int?
  /// How many packets are missing.
  public var packets: Int?
  /// How many events are missing.
  public var events: Int?
  /// Why.
  public var why: GapReason

  /// Makes the fields.
  public init(
    dir: Direction? = nil, bytes: Int? = nil, packets: Int? = nil, events: Int? = nil, why: GapReason
  ) {
    self.dir = dir
    self.bytes = bytes
    self.packets = packets
    self.events = events
    self.why = why
  }
}

/// The fields of `rec.opaque`: a connection that could not be read.
public struct Opaque: Equatable, Sendable {
  /// Its begin or its end.
  public var at: OpaqueEdge
  /// Why it could not be read.
  public var why: OpaqueReason
  /// How it failed.
  public var cause: Cause?
  /// Who ended it.
  public var dir: Direction?
  /// Bytes sent.
  public var out: Int?
  /// Bytes received.
  public var `in`: Int?

  /// Makes the fields.
  public init(
    at: OpaqueEdge, why: OpaqueReason, cause: Cause? = nil, dir: Direction? = nil, out: Int? = nil,
    in received: Int? = nil
  ) {
    self.at = at
    self.why = why
    self.cause = cause
    self.dir = dir
    self.out = out
    self.in = received
  }
}

/// The name of a rule that was broken, as `rfc6455-5.5`: two numbers with a section's parts, so that no text can enter.
public struct RuleName: Equatable, Sendable {
  /// The RFC's number.
  public var rfc: UInt16
  /// The section's parts from the first on, zero where there is none.
  public var section: (UInt8, UInt8, UInt8, UInt8)

  /// Makes a name of an RFC and a section's parts.
  public init(rfc: UInt16, _ one: UInt8, _ two: UInt8 = 0, _ three: UInt8 = 0, _ four: UInt8 = 0) {
    self.rfc = rfc
    section = (one, two, three, four)
  }

  /// Whether both are the same rule.
  public static func == (left: RuleName, right: RuleName) -> Bool {
    left.rfc == right.rfc && left.section == right.section
  }
}
