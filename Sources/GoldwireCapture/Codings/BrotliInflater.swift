internal import CBrotli
import GoldwireProtocols

/// A decompressor of Brotli (RFC 7932); this file is the only one that imports its library.
@safe
final class BrotliInflater: Inflating {
  private var state: OpaquePointer

  /// Makes one at the start of a stream; nil where the library has no memory.
  init?() {
    guard let made = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    unsafe state = made
  }

  deinit { unsafe BrotliDecoderDestroyInstance(state) }

  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep {
    var left = input.count
    var result = BROTLI_DECODER_RESULT_ERROR
    let state = unsafe state
    unsafe input.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      unsafe output.withUnsafeMutableBufferPointer { room, initialized in
        var free = room.count - initialized
        let start = free
        var place = unsafe room.baseAddress.map { unsafe $0 + initialized }
        unsafe result = BrotliDecoderDecompressStream(state, &left, &next, &free, &place, nil)
        initialized += start - free
      }
    }
    let consumed = input.count - left
    switch result {
    case BROTLI_DECODER_RESULT_SUCCESS: return InflateStep(consumed: consumed, status: .ended)
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
      return InflateStep(consumed: consumed, status: .more)
    default: return InflateStep(consumed: consumed, status: .failed)
    }
  }

  func reset() {
    // The library cannot begin anew; where it has no memory for another, the old one fails by itself.
    guard let made = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return }
    unsafe BrotliDecoderDestroyInstance(state)
    unsafe state = made
  }
}
