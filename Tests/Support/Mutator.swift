/// Damages bytes in the ways in which they go wrong on a wire; equal seeds give equal damage.
public struct Mutator: Sendable {
  private var generator: SeededGenerator
  private let dictionary: [[UInt8]]

  /// Makes a mutator that also puts in the given words.
  public init(seed: UInt64, dictionary: [[UInt8]]) {
    generator = SeededGenerator(seed: seed)
    self.dictionary = dictionary
  }

  /// The bytes with one to four pieces of damage.
  public mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0..<number(1...4) { damage(&result) }
    return result
  }

  /// A random number of the range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  /// The bytes in random pieces.
  public mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    Delivery.random(of: bytes, using: &generator).pieces
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let place = number(0...bytes.count)
    let end = min(bytes.count, place + number(0...12))
    switch number(0...6) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(number(0...7))
    case 1 where place < bytes.count: bytes[place] = UInt8(number(0...255))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.insert(UInt8(number(0...255)), at: place)
    default:
      if !dictionary.isEmpty {
        bytes.insert(contentsOf: dictionary[number(0...dictionary.count - 1)], at: place)
      }
    }
  }
}
