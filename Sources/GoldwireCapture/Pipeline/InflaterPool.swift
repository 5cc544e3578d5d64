import GoldwireProtocols
import GoldwireTrace

/// Counts the decompressors at work, so that there is a limit to their memory.
struct InflaterPool {
  private var working = 0

  /// A decompressor of raw deflate with a window of so many bits; nil at the limit.
  mutating func raw(_ windowBits: Int?, _ limits: CaptureLimits) -> (any Inflating)? {
    guard working < limits.inflaters else { return nil }
    let format = Inflater.Format.raw(windowBits: windowBits.map { min(max($0, 8), 15) } ?? 15)
    guard let inflater = WireInflater(format, InflaterPool.bounds(limits)) else { return nil }
    working &+= 1
    return inflater
  }

  /// What undoes a body's codings; nil where one of them cannot be undone, and at the limit.
  mutating func body(_ codings: HTTPCodings, _ limits: CaptureLimits) -> BodyInflater? {
    guard !codings.isTooLong, codings.count <= limits.codings else { return nil }
    var stages: [any Inflating] = []
    var weight = 0
    for index in (0..<codings.count).reversed() {
      guard let stage = InflaterPool.stage(codings[index], limits) else { return nil }
      stages.append(stage)
      weight &+= InflaterPool.weight(of: stage)
    }
    guard working &+ weight <= limits.inflaters else { return nil }
    working &+= weight
    return BodyInflater(
      stages, weight: weight, ratio: limits.inflateRatio, allowance: limits.inflateAllowance)
  }

  /// Says that so many are no longer used.
  mutating func giveBack(_ count: Int) { working = max(0, working &- count) }

  private static func stage(_ coding: HTTPCodings.Coding, _ limits: CaptureLimits) -> (any Inflating)? {
    switch coding {
    case .gzip: WireInflater(.gzip, bounds(limits))
    case .deflate: WireInflater(.httpDeflate, bounds(limits))
    case .brotli: BrotliInflater()
    case .zstd: ZstdInflater()
    case .compress, .other: nil
    }
  }

  /// The windows of Brotli and Zstandard, up to 16 and 8 MiB, are hundreds of times zlib's, so fewer may work.
  private static func weight(of stage: any Inflating) -> Int {
    switch stage {
    case is BrotliInflater: 64
    case is ZstdInflater: 32
    default: 1
    }
  }

  private static func bounds(_ limits: CaptureLimits) -> Inflater.Limits {
    Inflater.Limits(ratio: limits.inflateRatio, ratioFloor: limits.inflateAllowance)
  }
}
