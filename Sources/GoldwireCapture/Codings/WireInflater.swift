import GoldwireProtocols
import GoldwireTrace

/// A decompressor of gzip and deflate in the shape that the decoders take.
final class WireInflater: Inflating {
  private var inflater: Inflater

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
      return InflateStep(consumed: offset, status: error == .tooLarge ? .limit : .failed)
    }
  }

  func reset() { inflater.reset() }

  func goOn() { inflater.goOn() }
}
