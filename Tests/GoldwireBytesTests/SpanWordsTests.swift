import GoldwireBytes
import Testing

@Suite("Whole numbers in a span")
struct SpanWordsTests {
  @Test("both byte orders are read at every offset")
  func bothOrders() {
    let bytes: [UInt8] = [0x00, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0xFF]
    let span = bytes.span
    #expect(span.be16(at: 1) == 0x1234)
    #expect(span.le16(at: 1) == 0x3412)
    #expect(span.be32(at: 1) == 0x1234_5678)
    #expect(span.le32(at: 1) == 0x7856_3412)
    #expect(span.word(at: 1) == 0xF0DE_BC9A_7856_3412)
    #expect(span.word(at: 2) == 0xFFF0_DEBC_9A78_5634)
  }
}
