import GoldwireProtocols
import GoldwireTrace

/// Counts the decompressors at work, so that there is a limit to their memory.
struct InflaterPool {
  private var working = 0

  /// A decompressor of raw deflate with a window of so many bits; nil at the limit.
  mutating func raw(_ windowBits: Int?, _ limits: CaptureLimits) -> WireInflater? {
    make(.raw(windowBits: windowBits.map { min(max($0, 8), 15) } ?? 15), limits)
  }

  /// A decompressor of a format; nil at the limit.
  mutating func make(_ format: Inflater.Format, _ limits: CaptureLimits) -> WireInflater? {
    guard working < limits.inflaters else { return nil }
    let bounds = Inflater.Limits(ratio: limits.inflateRatio, ratioFloor: limits.inflateAllowance)
    guard let inflater = WireInflater(format, bounds) else { return nil }
    working &+= 1
    return inflater
  }

  /// Says that so many are no longer used.
  mutating func giveBack(_ count: Int) { working = max(0, working &- count) }
}

/// A decompressor in the shape that the decoders take.
final class WireInflater: Inflating {
  private var inflater: Inflater
  /// Whether it failed because it would have given more than its limits allow.
  private(set) var isOverLimit = false

  /// Makes one; nil where zlib has no memory.
  init?(_ format: Inflater.Format, _ limits: Inflater.Limits) {
    guard let inflater = try? Inflater(format, limits: limits) else { return nil }
    self.inflater = inflater
  }

  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep {
    var offset = 0
    do throws(Inflater.Failure) {
      let status = try inflater.inflate(input, from: &offset, into: &output)
      return InflateStep(consumed: offset, status: status == .finished ? .ended : .more)
    } catch {
      isOverLimit = error == .tooLarge
      return InflateStep(consumed: offset, status: .failed)
    }
  }

  func reset() { inflater.reset() }
}
