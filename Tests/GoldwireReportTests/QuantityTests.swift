import GoldwireReport
import GoldwireTrace
import Testing

@Suite struct QuantityTests {
  @Test func instantsLineUp() {
    #expect(Quantity.instant(0, .us) == "0.000s")
    #expect(Quantity.instant(30_071_204, .us) == "30.071s")
    #expect(Quantity.instant(59_999_999, .us) == "59.999s")
    #expect(Quantity.instant(62_345, .ms) == "1m02.345s")
    #expect(Quantity.instant(3_723_345, .ms) == "1h02m03.345s")
    #expect(Quantity.instant(-5, .ms) == "0.000s")
    #expect(Quantity.instant(.max, .us).hasSuffix("s"))
  }

  @Test func spansHaveThreeDigits() {
    let spans: [(Int, String)] = [
      (0, "0s"), (1, "1us"), (999, "999us"), (1_000, "1ms"), (1_234, "1.23ms"), (12_340, "12.3ms"),
      (40_687, "40.7ms"), (999_499, "999ms"), (999_500, "1s"), (1_500_000, "1.5s"), (30_030_000, "30s"),
      (59_949_999, "59.9s"), (59_950_000, "1m00s"), (125_400_000, "2m05s"), (3_600_000_000, "1h00m"),
      (5_400_000_000, "1h30m"), (-1, "0s"),
    ]
    for (length, text) in spans { #expect(Quantity.span(length, .us) == text) }
    #expect(Quantity.span(250, .ms) == "250ms")
    #expect(Quantity.span(.max, .ms).hasSuffix("m"))
  }

  @Test func bytesHaveUnits() {
    let sizes: [(Int, String)] = [
      (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (1_240, "1.24 kB"), (999_500, "1 MB"),
      (3_400_000, "3.4 MB"),
      (-1, "0 B"),
    ]
    for (count, text) in sizes { #expect(Quantity.bytes(count) == text) }
    #expect(Quantity.bytes(.max).hasSuffix("GB"))
  }

  @Test func nounsAgree() {
    #expect(Quantity.count(1, "ping") == "1 ping")
    #expect(Quantity.count(0, "ping") == "0 pings")
    #expect(Quantity.count(2, "try", "tries") == "2 tries")
  }
}
