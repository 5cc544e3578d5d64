import GoldwireBytes
import Testing

@Suite("Text written into an output span")
struct WritingTests {
  @Test(
    "a number is written as the standard library writes it",
    arguments: [
      0, 1, 9, 10, 99, 100, 12_345_678, 123_456_789, 1_234_567_890_123_456_789, -1, -10, .max, .min,
    ])
  func numbers(number: Int) {
    let text = [UInt8](capacity: 24) { $0.put(number) }
    #expect(String(decoding: text, as: UTF8.self) == String(number))
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
