internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTrace

/// The head of a response as four words of a record.
struct AnswerBits {
  /// Status (10 bits), its being out of range, what Retry-After is, its form, media type, and the event stream's number.
  var facts: UInt64 = 0
  /// The seconds of Retry-After, or its date in seconds since 1970.
  var value: UInt64 = 0
  /// The `Date`, in seconds since 1970.
  var date: UInt64 = 0
  /// The `Age`, in seconds.
  var age: UInt64 = 0

  private static let out: UInt64 = 1 << 10
  private static let hasDate: UInt64 = 1 << 11
  private static let hasAge: UInt64 = 1 << 12

  @inline(__always)
  init(_ answer: Answer?, type: MediaType? = nil, stream: Int? = nil) {
    guard let answer else { return }
    facts = Self.status(answer.status) | type.optionalCode << 20 | UInt64(UInt32(clamping: stream ?? 0)) << 32
    switch answer.retryAfter {
    case .absent: break
    case .seconds(let seconds):
      facts |= 1 << 13
      value = seconds
    case .date(let seconds, let form):
      facts |= 2 << 13 | Self.code(form) << 18
      value = Bits.signed(seconds)
    case .invalid(let reason):
      facts |= 3 << 13
      value = Self.code(reason)
    }
    if let seconds = answer.date {
      facts |= Self.hasDate
      date = Bits.signed(seconds)
    }
    if let seconds = answer.age {
      facts |= Self.hasAge
      age = UInt64(clamping: seconds)
    }
  }

  /// A record's own words.
  init(_ record: TapRecord) { (facts, value, date, age) = (record.b, record.c, record.d, record.e) }

  /// A status, or that it is out of range.
  @inline(__always)
  static func status(_ status: Int?) -> UInt64 {
    guard let status else { return 0 }
    return (100...599).contains(status) ? UInt64(clamping: status) : out
  }

  /// The status of a word that ``status(_:)`` made, and whether it was out of range.
  static func status(_ word: UInt64) -> (status: Int?, isOut: Bool) {
    let status = Int(word & 0x3FF)
    return (status == 0 ? nil : status, word & out != 0)
  }

  /// The media type.
  var type: MediaType? { MediaType.optional(facts >> 20 & 3) }

  /// The number of the event stream that the response turned out to be.
  var stream: Int? { facts >> 32 == 0 ? nil : Int(facts >> 32) }

  /// What the response says of a retry, received at `t`, as a trace writes it.
  func retry(_ wall: WallClock, at t: Int) -> RetryFields {
    var fields = RetryFields()
    switch facts >> 13 & 3 {
    case 1: fields.value = value > 2_147_483_647 ? .bad(.over) : .after(Int(value))
    case 2:
      fields.value = .at(wall.seconds(of: Bits.signed(value), receivedAt: t))
      fields.form = [nil, .rfc850, .asctime, nil][Int(facts >> 18 & 3)]
    case 3: fields.value = .bad(RetryFault(code: value))
    default: break
    }
    if facts & Self.hasDate != 0 { fields.date = wall.seconds(of: Bits.signed(date), receivedAt: t) }
    if facts & Self.hasAge != 0 { fields.age = Int(clamping: age) }
    return fields
  }

  private static func code(_ form: HTTPDate.Form) -> UInt64 {
    switch form {
    case .imf: 0
    case .rfc850: 1
    case .asctime: 2
    }
  }

  private static func code(_ reason: RetryAfter.Reason) -> UInt64 {
    switch reason {
    case .sign: RetryFault.sign.code
    case .decimal: RetryFault.decimal.code
    case .unit: RetryFault.unit.code
    case .list: RetryFault.list.code
    case .digits: RetryFault.digits.code
    case .empty: RetryFault.empty.code
    case .differ: RetryFault.differ.code
    case .weekday: RetryFault.weekday.code
    case .zone: RetryFault.zone.code
    case .over: RetryFault.over.code
    case .other: RetryFault.other.code
    }
  }
}
