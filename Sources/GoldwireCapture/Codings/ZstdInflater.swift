internal import CZstd
import GoldwireProtocols

/// A decompressor of Zstandard frames (RFC 8878); this file is the only one that imports its library.
@safe
final class ZstdInflater: Inflating {
  /// The base-2 logarithm of the largest window that HTTP allows (RFC 9659 section 3).
  private static let windowLog: Int32 = 23

  private let context: OpaquePointer
  /// Whether the output was full, so that more may come without input.
  private var isHolding = false

  /// Makes one at the start of a frame; nil where the library has no memory.
  init?() {
    guard let made = unsafe ZSTD_createDCtx() else { return nil }
    unsafe context = made
    unsafe ZSTD_DCtx_setParameter(made, ZSTD_d_windowLogMax, Self.windowLog)
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep {
    // The library takes the sixteenth call in a row that leads to nothing for a fault.
    guard !input.isEmpty || isHolding else { return InflateStep(consumed: 0, status: .more) }
    var consumed = 0
    var code = 0
    let context = unsafe context
    unsafe input.withUnsafeBufferPointer { bytes in
      var source = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
      unsafe output.withUnsafeMutableBufferPointer { room, initialized in
        let place = unsafe room.baseAddress.map { unsafe $0 + initialized }
        var target = unsafe ZSTD_outBuffer(dst: place, size: room.count - initialized, pos: 0)
        // One frame may follow another (RFC 8878 section 3.1).
        repeat {
          code = unsafe ZSTD_decompressStream(context, &target, &source)
        } while unsafe code == 0 && source.pos < source.size && target.pos < target.size
        unsafe initialized += target.pos
      }
      consumed = unsafe source.pos
    }
    isHolding = output.freeCapacity == 0
    return InflateStep(consumed: consumed, status: ZSTD_isError(code) != 0 ? .failed : .more)
  }

  func reset() {
    isHolding = false
    unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
  }
}
