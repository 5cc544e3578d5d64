/// One way to deliver the same bytes: a decoder must find the same in each.
public struct Delivery: CustomStringConvertible, Sendable {
  /// What the way is called in a failure.
  public let description: String
  /// The pieces, which together are the bytes.
  public let pieces: [[UInt8]]

  /// Makes a delivery of given pieces.
  public init(_ description: String, _ pieces: [[UInt8]]) {
    self.description = description
    self.pieces = pieces
  }

  /// The three deliveries: whole, byte by byte, and in two pieces for each split point.
  public static func all(of bytes: [UInt8]) -> [Delivery] {
    var result = [Delivery("whole", [bytes]), Delivery("byte by byte", bytes.map { [$0] })]
    for split in 1..<max(bytes.count, 1) {
      result.append(Delivery("split at \(split)", [Array(bytes[..<split]), Array(bytes[split...])]))
    }
    return result
  }

  /// The bytes in pieces of random sizes, empty ones among them.
  public static func random(of bytes: [UInt8], using generator: inout SeededGenerator) -> Delivery {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 0...17, using: &generator))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return Delivery("random pieces", pieces)
  }
}
