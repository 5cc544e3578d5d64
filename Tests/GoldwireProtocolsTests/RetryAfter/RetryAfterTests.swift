import GoldwireProtocols
import GoldwireTestSupport
import Testing

@Suite struct RetryAfterTests {
  /// 2020-06-26T04:28:10Z.
  static let now = 1_593_145_690

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String?
    let reading: RetryAfter
    init(_ text: String?, _ reading: RetryAfter) {
      self.text = text
      self.reading = reading
    }
    var testDescription: String { text.debugDescription }
  }

  static let numbers: [Case] = [
    .init(nil, .absent),
    .init("", .invalid(.empty)),
    .init(" \t ", .invalid(.empty)),
    .init("0", .seconds(0)),
    .init("5", .seconds(5)),
    .init(" \t5\t ", .seconds(5)),
    .init("007", .seconds(7)),
    .init("000000000000000000000000000030", .seconds(30)),
    .init("86401", .seconds(86_401)),
    .init("9999999999", .seconds(9_999_999_999)),
    .init("18446744073709551615", .seconds(.max)),
    .init("18446744073709551616", .invalid(.over)),
    .init("99999999999999999999", .invalid(.over)),
    .init("-5", .invalid(.sign)),
    .init("+5", .invalid(.sign)),
    .init("-0.5", .invalid(.sign)),
    .init("0.5", .invalid(.decimal)),
    .init(".5", .invalid(.decimal)),
    .init("1e3", .invalid(.decimal)),
    .init("5s", .invalid(.unit)),
    .init("5 seconds", .invalid(.unit)),
    .init("2, 3", .invalid(.list)),
    .init("2,2", .invalid(.list)),
    .init("\u{665}", .invalid(.digits)),
    .init("\u{FF15}", .invalid(.digits)),
    .init("1\u{665}", .invalid(.digits)),
    .init("\u{E9}", .invalid(.other)),
    .init("5\n", .invalid(.other)),
    .init("5 5", .invalid(.other)),
    .init("soon", .invalid(.other)),
    .init("0x10", .invalid(.other)),
  ]

  @Test(arguments: numbers)
  func `Numbers are ASCII digits alone`(given: Case) {
    #expect(RetryAfter.read(given.text, now: Self.now) == given.reading)
  }

  static let dates: [Case] = [
    .init("Fri, 26 Jun 2020 04:28:20 GMT", .date(1_593_145_700, .imf)),
    .init(" Fri, 26 Jun 2020 04:28:20 GMT\t", .date(1_593_145_700, .imf)),
    .init("Friday, 26-Jun-20 04:28:20 GMT", .date(1_593_145_700, .rfc850)),
    .init("Fri Jun 26 04:28:20 2020", .date(1_593_145_700, .asctime)),
    .init("Sun Nov  6 08:49:37 1994", .date(784_111_777, .asctime)),
    .init("Sun, 06 Nov 1994 08:49:37 GMT", .date(784_111_777, .imf)),
    .init("Sunday, 06-Nov-94 08:49:37 GMT", .date(784_111_777, .rfc850)),
    .init("Thu, 01 Jan 1970 00:00:00 GMT", .date(0, .imf)),
    .init("Wed, 31 Dec 1969 23:59:59 GMT", .date(-1, .imf)),
    .init("Tue, 29 Feb 2000 00:00:00 GMT", .date(951_782_400, .imf)),
    .init("Sat, 31 Dec 2016 23:59:60 GMT", .date(1_483_228_800, .imf)),
    .init("Fri, 31 Dec 9999 23:59:59 GMT", .date(253_402_300_799, .imf)),
    .init("Thu, 26 Jun 2020 04:28:20 GMT", .invalid(.weekday)),
    .init("Thursday, 26-Jun-20 04:28:20 GMT", .invalid(.weekday)),
    .init("Thu Jun 26 04:28:20 2020", .invalid(.weekday)),
    .init("Fri, 26 Jun 2020 04:28:20 UTC", .invalid(.zone)),
    .init("Fri, 26 Jun 2020 04:28:20 +0000", .invalid(.zone)),
    .init("Fri, 26 Jun 2020 04:28:20", .invalid(.zone)),
    .init("Fri, 26 Jun 2020 04:28:20 gmt", .invalid(.zone)),
    .init("fri, 26 Jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 26 jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 26 Juin 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 6 Jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 26 Jun 20 04:28:20 GMT", .invalid(.other)),
    .init("Friday, 26 Jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 31 Jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Mon, 29 Feb 2021 00:00:00 GMT", .invalid(.other)),
    .init("Thu, 29 Feb 1900 00:00:00 GMT", .invalid(.other)),
    .init("Fri, 00 Jun 2020 04:28:20 GMT", .invalid(.other)),
    .init("Fri, 26 Jun 2020 24:00:00 GMT", .invalid(.other)),
    .init("Fri, 26 Jun 2020 04:60:00 GMT", .invalid(.other)),
    .init("Fri, 26 Jun 2020 04:28:60 GMT", .invalid(.other)),
    .init("2020-06-26T04:28:20Z", .invalid(.other)),
  ]

  @Test(arguments: dates)
  func `Dates are read in three forms, exactly`(given: Case) {
    #expect(RetryAfter.read(given.text, now: Self.now) == given.reading)
  }

  @Test func `Two digits of a year are at most fifty years ahead`() {
    // 2070-06-26 is a Thursday, 1970-06-26 a Friday.
    let here = RetryAfter.read("Thursday, 26-Jun-70 04:28:10 GMT", now: Self.now)
    #expect(here == .date(3_170_982_490, .rfc850))
    let past = RetryAfter.read("Friday, 26-Jun-70 04:28:11 GMT", now: Self.now)
    #expect(past == .date(15_222_491, .rfc850))
    // From 2099-12-31, the year 00 is the next one: 2100-01-01 is a Friday.
    let next = RetryAfter.read("Friday, 01-Jan-00 00:00:00 GMT", now: 4_102_358_400)
    #expect(next == .date(4_102_444_800, .rfc850))
  }

  @Test func `Two lines that differ say nothing; equal ones say it once`() {
    #expect(RetryAfter.seconds(2).joined(with: .seconds(3)) == .invalid(.differ))
    #expect(RetryAfter.seconds(2).joined(with: .seconds(2)) == .seconds(2))
    #expect(RetryAfter.absent.joined(with: .seconds(2)) == .seconds(2))
    #expect(RetryAfter.seconds(2).joined(with: .absent) == .seconds(2))
  }

  @Test func `Every day of four centuries is read back, by its own weekday alone`() {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var day = 0
    var wrong = 0
    for year in 1970..<2370 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for month in 0..<12 {
        for date in 1...(month == 1 && isLeap ? 29 : lengths[month]) {
          let rest = ", \(two(date)) \(months[month]) \(year) 12:34:56 GMT"
          let right = RetryAfter.read(days[day % 7] + rest, now: 0)
          if right != .date(day * 86_400 + 45_296, .imf) { wrong += 1 }
          if date == 13, RetryAfter.read(days[(day + 1) % 7] + rest, now: 0) != .invalid(.weekday) {
            wrong += 1
          }
          day += 1
        }
      }
    }
    #expect(wrong == 0)
    #expect(day == 146_097)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `No bytes trap, and what is spoilt is not read as before`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = Self.dates + Self.numbers
    for _ in 0..<50 {
      var bytes = Array((texts.randomElement(using: &random)?.text ?? "").utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0x20...0x7F, using: &random), at: index)
        }
      }
      let now = Int.random(in: Int.min...Int.max, using: &random)
      if case .date(let seconds, _) = RetryAfter.read(bytes.span, now: now) {
        #expect(seconds < 260_000_000_000)
      }
    }
  }
}
