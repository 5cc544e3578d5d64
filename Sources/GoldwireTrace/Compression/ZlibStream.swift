internal import CZlib

/// One zlib stream: the only owner of a `z_stream`, and the only code that calls zlib.
///
/// The stream lies on the heap, since zlib keeps a pointer back to it and a moved struct would be refused.
@safe
struct ZlibStream: ~Copyable {
  /// What one call came to.
  enum Outcome {
    case progress, ended, stuck, damaged, dictionary, memory
  }

  /// How much of the output a call asks for.
  enum Flush {
    case none, sync, finish
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let inflates: Bool

  /// Makes an inflating stream; `windowBits` as zlib counts them: negative for raw, 16 more for gzip.
  init?(inflatingWindowBits windowBits: Int) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    inflates = true
    let code = unsafe inflateInit2_(
      stream, Int32(clamping: windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
  }

  /// Makes a deflating stream without header or trailer.
  init?(deflatingLevel level: Int) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    inflates = false
    let code = unsafe deflateInit2_(
      stream, Int32(clamping: level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
  }

  deinit {
    if inflates { unsafe inflateEnd(stream) } else { unsafe deflateEnd(stream) }
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Forgets all that came before, the window too.
  mutating func reset() {
    if inflates { unsafe inflateReset(stream) } else { unsafe deflateReset(stream) }
  }

  /// Begins another raw stream that may point back to what the one before gave.
  mutating func goOn() {
    var window = [UInt8](repeating: 0, count: 32_768)
    var count = UInt32(window.count)
    let stream = unsafe stream
    unsafe window.withUnsafeMutableBufferPointer { buffer in
      _ = unsafe inflateGetDictionary(stream, buffer.baseAddress, &count)
      unsafe inflateReset(stream)
      if count > 0 { _ = unsafe inflateSetDictionary(stream, buffer.baseAddress, count) }
    }
  }

  /// Runs zlib once over the input from `offset`, which moves on by what was used.
  mutating func step(
    _ input: Span<UInt8>, from offset: inout Int, into output: inout OutputSpan<UInt8>,
    _ flush: Flush = .none
  ) -> Outcome {
    let rest = input.extracting(droppingFirst: min(max(offset, 0), input.count))
    let given = min(rest.count, Int(UInt32.max))
    let flush =
      switch flush {
      case .none: Z_NO_FLUSH
      case .sync: Z_SYNC_FLUSH
      case .finish: Z_FINISH
      }
    let handle = unsafe stream
    let inflates = inflates
    var code = Z_OK
    unsafe rest.withUnsafeBufferPointer { bytes in
      unsafe handle.pointee.next_in = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
      unsafe handle.pointee.avail_in = UInt32(given)
      unsafe output.withUnsafeMutableBufferPointer { room, initialized in
        let free = min(room.count - initialized, Int(UInt32.max))
        unsafe handle.pointee.next_out = unsafe room.baseAddress.map { unsafe $0 + initialized }
        unsafe handle.pointee.avail_out = UInt32(free)
        code = inflates ? unsafe inflate(handle, flush) : unsafe deflate(handle, flush)
        unsafe initialized += free - Int(handle.pointee.avail_out)
      }
    }
    unsafe offset += given - Int(stream.pointee.avail_in)
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.next_out = nil
    return Self.outcome(code)
  }

  private static func outcome(_ code: Int32) -> Outcome {
    switch code {
    case Z_OK: .progress
    case Z_STREAM_END: .ended
    case Z_BUF_ERROR: .stuck
    case Z_NEED_DICT: .dictionary
    case Z_MEM_ERROR: .memory
    default: .damaged
    }
  }

  /// The CRC-32 of what had the sum `sum`, followed by `bytes`.
  static func checksum(_ sum: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe UInt32(
        truncatingIfNeeded: crc32_z(UInt(sum), buffer.baseAddress, z_size_t(buffer.count)))
    }
  }
}
