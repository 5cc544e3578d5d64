import GoldwireBytes
import Testing

@Suite("Text written into an output span")
struct WritingTests {
  @Test(
    "a number is written as the standard library writes it",
    arguments: [
      0, 1, 9, 10, 99, 100, 12_345_678, 123_456_789, 1_234_567_890_123_456_789, -1, -10, .max, .min,
      -9, -9_999, -10_000, -99_999_999, -100_000_000,
    ] + edges)
  func numbers(number: Int) {
    let text = [UInt8](capacity: 24) { $0.put(number) }
    #expect(String(decoding: text, as: UTF8.self) == String(number))
  }

  /// The numbers around each power of ten, where one more digit is written.
  private static let edges: [Int] = (1...18).flatMap { digits in
    let power = (0..<digits).reduce(1) { power, _ in power * 10 }
    return [power - 1, power, power + 1, power * 2 + 3, 9 * power + power / 7]
  }

  @Test("every number of at most five digits is written as the standard library writes it")
  func small() {
    var text = [UInt8](capacity: 24) { _ in }
    for number in 0..<100_000 {
      text.removeAll(keepingCapacity: true)
      text.append(addingCapacity: 24) { $0.put(number) }
      if String(decoding: text, as: UTF8.self) != String(number) { Issue.record("\(number)") }
    }
  }

  @Test("a literal and a span are copied byte for byte")
  func copies() {
    var text = [UInt8](capacity: 8) { $0.put("ab\n") }
    let tail: [UInt8] = [0x00, 0xFF]
    text.append(tail.span)
    text.append(tail.span.extracting(1..<1))
    #expect(text == [0x61, 0x62, 0x0A, 0x00, 0xFF])
  }
}
