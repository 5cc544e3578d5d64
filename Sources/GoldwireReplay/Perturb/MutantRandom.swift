/// Random choices drawn from a seed, the same on every platform and with every compiler (SplitMix64).
struct MutantRandom {
  private var state: UInt64

  /// The choices for one mutant of a run.
  init(seed: UInt64, mutant: Int) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: mutant) &* 0xD1B5_4A32_D192_ED03
    _ = next()
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to and without `count`; 0 where there is none.
  mutating func below(_ count: Int) -> Int {
    count > 0 ? Int(next() % UInt64(count)) : 0
  }

  /// True once in so many times.
  mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  /// One of some; nil of none.
  mutating func pick<Values: RandomAccessCollection>(_ values: Values) -> Values.Element? {
    guard !values.isEmpty else { return nil }
    return values[values.index(values.startIndex, offsetBy: below(values.count))]
  }
}
