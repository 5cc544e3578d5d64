import GoldwireTestSupport
import Testing

@testable import GoldwireTrace

/// gzip, zlib and raw deflate in pieces of any size, with bounded output.
@Suite struct InflaterTests {
  /// "hello hello hello hello\n", made by other programs.
  static let text = Array("hello hello hello hello\n".utf8)
  static let raw: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0xB9, 0x00]
  static let zlib: [UInt8] = [0x78, 0xDA] + raw + [0x70, 0xBE, 0x08, 0xBB]

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    guard var writer = try? GzipWriter() else { return [] }
    writer.write(bytes.span, to: &output)
    writer.finish(to: &output)
    return output
  }

  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() & 15) }
  }

  /// All of the input in pieces of `step` bytes.
  static func inflate(
    _ input: [UInt8], _ format: Inflater.Format, step: Int = .max, room: Int = .max,
    limits: Inflater.Limits = .init()
  ) throws -> (output: [UInt8], isWhole: Bool) {
    var inflater = try Inflater(format, limits: limits)
    var output: [UInt8] = []
    var start = 0
    while start < input.count {
      let piece = Array(input[start..<(step >= input.count - start ? input.count : start + step)])
      start += piece.count
      var offset = 0
      var status = Inflater.Status.outputFull
      while status == .outputFull {
        status = try inflater.inflate(
          piece.span, from: &offset, appendingTo: &output, atMost: min(room, 1 << 20))
      }
    }
    return (output, inflater.isWhole)
  }

  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var format: Inflater.Format
    var input: [UInt8]
    var output: [UInt8]
  }

  static let cases: [Case] = [
    Case(testDescription: "raw", format: .raw(windowBits: 15), input: raw, output: text),
    Case(testDescription: "zlib", format: .zlib, input: zlib, output: text),
    Case(testDescription: "deflate of HTTP, wrapped", format: .httpDeflate, input: zlib, output: text),
    Case(testDescription: "deflate of HTTP, raw", format: .httpDeflate, input: raw, output: text),
    Case(
      testDescription: "gzip", format: .gzip, input: gzip(noise(3_000, seed: 1)),
      output: noise(3_000, seed: 1)),
    Case(
      testDescription: "gzip of two members", format: .gzip, input: gzip(text) + gzip([]) + gzip(text),
      output: text + text),
    Case(testDescription: "gzip with padding", format: .gzip, input: gzip(text) + [0, 0, 0], output: text),
    // A sender that looks back 600 bytes in a window of 512: that is read or not, but the same in all pieces.
    Case(
      testDescription: "raw, beyond its window", format: .raw(windowBits: 9),
      input: Array(gzip(noise(600, seed: 2) + noise(600, seed: 2)).dropFirst(10).dropLast(8)),
      output: noise(600, seed: 2) + noise(600, seed: 2)),
  ]

  @Test("the same output however the input is cut and the room is measured", arguments: cases)
  func deliveries(sample: Case) throws {
    for step in [Int.max, 1, 2, 3, 7, 1_000] {
      for room in [Int.max, 1, 5, 4_096] {
        let (output, isWhole) = try Self.inflate(sample.input, sample.format, step: step, room: room)
        #expect(output == sample.output)
        #expect(isWhole || sample.format == .raw(windowBits: 15))
      }
    }
  }

  @Test("a cut stream gives what it has and is not whole")
  func truncated() throws {
    let bytes = Self.noise(2_000, seed: 2)
    let packed = Self.gzip(bytes)
    for end in 1..<packed.count {
      let (output, isWhole) = try Self.inflate(Array(packed[..<end]), .gzip)
      #expect(!isWhole)
      #expect(output == Array(bytes[..<output.count]))
    }
  }

  @Test("damage, bombs and bad parameters are errors")
  func failures() throws {
    var damaged = Self.gzip(Self.text)
    damaged[damaged.count - 6] ^= 1
    #expect(throws: Inflater.Failure.damaged) { try Self.inflate(damaged, .gzip) }
    let bomb = Self.gzip([UInt8](repeating: 0, count: 1 << 20))
    #expect(throws: Inflater.Failure.tooLarge) {
      try Self.inflate(bomb, .gzip, limits: .init(outputBytes: 1 << 19))
    }
    #expect(throws: Inflater.Failure.tooLarge) {
      try Self.inflate(bomb, .gzip, limits: .init(ratio: 100, ratioFloor: 1_000))
    }
    #expect(throws: Inflater.Failure.unavailable) {
      _ = try Self.inflate([], .raw(windowBits: 16))
    }
  }

  @Test("after a reset the window is forgotten")
  func reset() throws {
    var inflater = try Inflater(.raw(windowBits: 15))
    for _ in 0..<3 {
      var output: [UInt8] = []
      var offset = 0
      _ = try inflater.inflate(Self.raw.span, from: &offset, appendingTo: &output, atMost: 100)
      #expect(output == Self.text)
      inflater.reset()
    }
    // A stream of which the second part refers into the first: without the first it is damage.
    #expect(throws: Inflater.Failure.damaged) { try Self.inflate([0x02, 0x13, 0x00], .raw(windowBits: 15)) }
  }

  @Test("random bytes are inflated or refused, never a trap", arguments: UInt64(0)..<20)
  func fuzz(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var bytes = Self.gzip(Self.noise(200, seed: seed))
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      for format in [Inflater.Format.gzip, .zlib, .httpDeflate, .raw(windowBits: 9)] {
        _ = try? Self.inflate(bytes, format, step: 17, limits: .init(outputBytes: 1 << 16))
      }
    }
  }

  @Test("gzip's bytes depend on its input alone, and its header names nothing")
  func deterministic() {
    let bytes = Self.noise(100_000, seed: 3)
    let packed = Self.gzip(bytes)
    #expect(packed == Self.gzip(bytes))
    #expect(Array(packed[..<10]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }

  @Test("a compressed trace is read, and is torn where it is cut")
  func compressedTrace() throws {
    var random = RandomTrace(seed: 9)
    let trace = random.trace()
    let packed = Self.gzip(trace.bytes())
    #expect(try Trace(bytes: packed).lines == trace.lines)
    let cut = try Trace(bytes: Array(packed[..<(packed.count - 9)]))
    #expect(cut.isTorn)
    #expect(cut.lines == Array(trace.lines.prefix(cut.lines.count)))
    #expect(throws: TraceError.self) { try Trace(bytes: Array(packed[..<12])) }
  }
}
