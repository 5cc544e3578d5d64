/// Random numbers that are the same for the same seed (SplitMix64).
struct ScriptRandom: Sendable {
  private var state: UInt64

  /// A sequence of its own for each `stream` of a seed.
  init(seed: UInt64, stream: Int) {
    state = seed ^ UInt64(bitPattern: Int64(stream)) &* 0xD1B5_4A32_D192_ED03
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `limit` − 1; 0 where the limit is not positive.
  mutating func number(below limit: Int) -> Int {
    limit > 0 ? Int(next().multipliedFullWidth(by: UInt64(limit)).high) : 0
  }
}
