import GoldwireTestSupport

/// The bytes of one fuzzing run: a few choices at the front, and what is to be parsed behind them.
///
/// What is asked for beyond the end is 0, so that every input means something.
struct FuzzInput {
  /// What was not taken yet.
  private(set) var rest: [UInt8]

  init(_ bytes: [UInt8]) { rest = bytes }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.isEmpty ? 0 : rest.removeFirst() }

  /// A number of two bytes, the lower first.
  mutating func short() -> Int {
    let low = byte()
    return Int(low) | Int(byte()) << 8
  }

  /// Bytes behind a length of two bytes; what is there if that is less.
  mutating func field() -> [UInt8] {
    let count = min(short(), rest.count)
    defer { rest.removeFirst(count) }
    return Array(rest[..<count])
  }

  /// Two bytes that say how bytes are delivered in pieces.
  mutating func cut() -> FuzzCut { FuzzCut(kind: byte(), seed: byte()) }
}

/// A way to cut bytes into pieces.
struct FuzzCut {
  var kind: UInt8
  var seed: UInt8

  /// Byte by byte, in two, or in random pieces with empty ones among them.
  func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    switch kind & 3 {
    case 0: return bytes.map { [$0] }
    case 1:
      let place = bytes.count * (Int(kind >> 2) << 8 | Int(seed)) >> 14
      return [Array(bytes[..<place]), Array(bytes[place...])]
    default:
      var generator = SeededGenerator(seed: UInt64(kind) << 8 | UInt64(seed))
      return Delivery.random(of: bytes, using: &generator).pieces
    }
  }

  /// The same choices as a seed for others.
  var generator: SeededGenerator { SeededGenerator(seed: UInt64(seed) << 8 | UInt64(kind)) }
}
