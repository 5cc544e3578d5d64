@testable import GoldwireCapture
import GoldwireTrace
import Testing

/// Numbers, dates, base64 and targets of a HAR.
@Suite struct HARPartTests {
  struct Number: CustomTestStringConvertible {
    var text: String
    var places: Int
    var value: Int?
    var testDescription: String { "\(text) by \(places)" }
  }

  @Test(arguments: [
    Number(text: "0.2370000000000001", places: 3, value: 237),
    Number(text: "14.666000031866133", places: 3, value: 14_666),
    Number(text: "-1", places: 3, value: -1_000), Number(text: "-0.0001", places: 3, value: -1),
    Number(text: "1475155931.028697", places: 6, value: 1_475_155_931_028_697),
    Number(text: "5e-5", places: 3, value: 0),
    Number(text: "1.5E3", places: 3, value: 1_500_000), Number(text: "1e999", places: 3, value: 1 << 60),
    Number(text: "123456789012345678901234567890", places: 0, value: 1 << 60),
    Number(text: "null", places: 3, value: nil),
    Number(text: "", places: 3, value: nil), Number(text: "1x", places: 3, value: nil),
    Number(text: "1e", places: 0, value: nil),
    Number(text: "0." + String(repeating: "3", count: 90), places: 3, value: 333),
  ])
  func numbersAreWholeAndRoundedDown(_ sample: Number) {
    #expect(HARNumber.fixed(Array(sample.text.utf8).span, places: sample.places) == sample.value)
  }

  struct Instant: CustomTestStringConvertible {
    var text: String
    var microseconds: Int?
    var digits = 0
    var testDescription: String { text }
  }

  @Test(arguments: [
    Instant(text: "1970-01-01T00:00:00Z", microseconds: 0),
    Instant(text: "1970-01-01T00:00:01.25Z", microseconds: 1_250_000, digits: 2),
    Instant(text: "1970-01-01T01:00:00.1234567+01:00", microseconds: 123_456, digits: 6),
    Instant(text: "1969-12-31T19:00:00.001-0500", microseconds: 1_000, digits: 3),
    Instant(text: "2024-02-29t00:00:00", microseconds: 1_709_164_800_000_000),
    Instant(text: "2023-02-29T00:00:00Z", microseconds: nil),
    Instant(text: "2024-02-29T24:00:00Z", microseconds: nil),
    Instant(text: "2024-02-29T00:00:00.Z", microseconds: nil),
    Instant(text: "2024-02-29T00:00:00Zx", microseconds: nil),
    Instant(text: "2024-02-29", microseconds: nil),
    Instant(text: "2024-02-29T00:00:00+1:00", microseconds: nil),
  ])
  func dates(_ sample: Instant) {
    let date = HARDate(Array(sample.text.utf8).span)
    #expect(date?.microseconds == sample.microseconds)
    #expect(date?.digits ?? 0 == sample.digits)
  }

  @Test(
    arguments: [
      ("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("-_8", [0xFB, 0xFF]),
      ("AA\nEC", [0, 1, 2]),
      ("A", nil), ("AA=", nil), ("AA==A", nil), ("A*==", nil), ("AAEC=", nil),
    ] as [(String, [UInt8]?)])
  func base64(_ text: String, _ bytes: [UInt8]?) {
    #expect(Base64.decode(Array(text.utf8).span) == bytes)
  }

  @Test(
    arguments: [
      ("https://u:p@A.example:443/x?y#z", "a.example", "/x?y"), ("http://a.example?q", "a.example", "/?q"),
      ("wss://a.example:8443", "a.example:8443", "/"), ("http://a/b c\t", "a", "/b%20c%09"),
      ("https://[2001:db8::1]:443/", "[2001:db8::1]", "/"),
    ] as [(String, String, String)])
  func targets(_ url: String, _ authority: String, _ origin: String) throws {
    let target = try #require(HARTarget(Array(url.utf8), limit: 100))
    #expect(String(decoding: target.authority, as: UTF8.self) == authority)
    #expect(String(decoding: target.origin, as: UTF8.self) == origin)
  }

  @Test func longTargetsThatBeginAlikeAreTwo() throws {
    let long = "http://a/" + String(repeating: "x", count: 200)
    let one = try #require(HARTarget(Array((long + "1").utf8), limit: 100))
    let two = try #require(HARTarget(Array((long + "2").utf8), limit: 100))
    #expect(one.origin != two.origin)
    #expect(one.origin.count < 130)
  }
}
