import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

/// The date that was read last, since most responses of a second have the same one.
struct LatestDate {
  private var text = SIMD4<UInt64>()
  private var receipt = Int.min
  private var seconds: Int?

  /// Makes one that has read nothing.
  init() {}

  /// The seconds since 1970 that a date says which was received in a second, or nil if it says none.
  mutating func read(_ value: Span<UInt8>, at now: Int) -> Int? {
    guard value.count == 29 else { return LatestDate.seconds(value, now) }
    let words = SIMD4(value.word(at: 0), value.word(at: 8), value.word(at: 16), value.word(at: 21))
    if now != receipt || words != text {
      seconds = LatestDate.seconds(value, now)
      (text, receipt) = (words, now)
    }
    return seconds
  }

  private static func seconds(_ value: Span<UInt8>, _ now: Int) -> Int? {
    guard case .date(let date) = HTTPDate.read(value, now: now) else { return nil }
    return date.seconds
  }
}

/// What of a response's head goes into a trace, and what is compared in memory.
struct ResponseDigest {
  /// The retry keys with the date and the age.
  var retry: RetryFields
  /// The hash of the target that it redirects to within its origin.
  var location: UInt64?

  /// Makes the digest of a head's bytes; `exchange` is the request that it answers, `isSecure` whether over TLS.
  init(
    _ bytes: Span<UInt8>, _ head: HTTP1Head, _ clock: WallClock, epoch: Int, at now: Int,
    _ exchange: Exchange?, key: UInt64, isSecure: Bool = false, _ latest: inout LatestDate
  ) {
    let receipt = epoch / 1_000_000
    retry = RetryFields()
    if head.retryAfter.isPresent {
      let value = bytes.extracting(clamped(head.retryAfter.bounds, bytes.count))
      let reading = RetryAfter.read(value, now: receipt)
      let differs = head.facts.contains(.retryAfterDiffers)
      ResponseDigest.put(differs ? .invalid(.differ) : reading, clock, now, &retry)
    }
    if head.date.isPresent {
      let value = bytes.extracting(clamped(head.date.bounds, bytes.count))
      if let seconds = latest.read(value, at: receipt) {
        retry.date = clock.seconds(of: seconds, receivedAt: now)
      }
    }
    if head.age.isPresent {
      retry.age = ResponseDigest.number(bytes.extracting(clamped(head.age.bounds, bytes.count)))
    }
    if head.location.isPresent, let exchange {
      location = RequestDigest.redirected(
        to: bytes.extracting(clamped(head.location.bounds, bytes.count)), host: exchange.host,
        base: exchange.base, key: key, isSecure: isSecure)
    }
  }

  /// How long the server asked to wait, in µs from `now`; 0 where it did not.
  func wait(_ clock: WallClock, at now: Int) -> Int {
    switch retry.value {
    case .after(let seconds): return seconds &* 1_000_000
    case .at(let seconds): return max(0, seconds &* 1_000_000 &- clock.wall &- now)
    case .bad, nil: return 0
    }
  }

  private static func put(
    _ reading: RetryAfter, _ clock: WallClock, _ now: Int, _ fields: inout RetryFields
  ) {
    switch reading {
    case .absent: break
    case .seconds(let seconds):
      fields.value = seconds > 2_147_483_647 ? .bad(.over) : .after(Int(seconds))
    case .date(let seconds, let form):
      fields.value = .at(clock.seconds(of: seconds, receivedAt: now))
      switch form {
      case .imf: break
      case .rfc850: fields.form = .rfc850
      case .asctime: fields.form = .asctime
      }
    case .invalid(let reason): fields.value = .bad(fault(reason))
    }
  }

  private static func fault(_ reason: RetryAfter.Reason) -> RetryFault {
    switch reason {
    case .sign: .sign
    case .decimal: .decimal
    case .unit: .unit
    case .list: .list
    case .digits: .digits
    case .empty: .empty
    case .differ: .differ
    case .weekday: .weekday
    case .zone: .zone
    case .over: .over
    case .other: .other
    }
  }

  /// A whole number of at most 2^31 − 1; nil for anything else.
  private static func number(_ text: Span<UInt8>) -> Int? {
    guard !text.isEmpty, text.count <= 10 else { return nil }
    var value = 0
    for index in text.indices {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    return value <= 2_147_483_647 ? value : nil
  }
}
