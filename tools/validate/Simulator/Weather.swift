/// What chance does to a run, as a function of time alone: whatever the client does, at one instant the path is the same.
///
/// So two clients in one weather meet the same world, which is what a prediction is of; two weathers are the noise.
struct Weather {
  /// What chance decides.
  enum Kind: UInt64 {
    case delayUp = 1, delayDown, lossUp, lossDown, lateness
  }

  /// The path changes no faster than every five milliseconds.
  private static let grain = 5_000
  private let seed: UInt64

  init(_ seed: UInt64) { self.seed = seed }

  /// From 0 to less than 1.
  func unit(_ kind: Kind, at t: Int) -> Double {
    var dice = Dice(
      seed &* 0x9E37_79B9 &+ kind.rawValue &* 0xD6E8_FEB8_6659_FD93 &+ UInt64(t / Self.grain) &* 0x2545_F491)
    return dice.unit()
  }

  /// A whole number from 0 through `most`.
  func within(_ most: Int, _ kind: Kind, at t: Int) -> Int { Int(unit(kind, at: t) * Double(most + 1)) }
}
