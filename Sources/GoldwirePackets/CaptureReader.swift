internal import GoldwireBytes

/// Reads a capture file, pcap or pcapng, from bytes that come in pieces of any size.
///
/// It holds no bytes: the caller keeps what lies beyond the position and adds to it when `more` is asked.
///
///     var reader = CaptureReader(), position = 0
///     let step = try reader.next(in: buffer.span, from: &position)
public struct CaptureReader: Sendable {
  /// The limits that hold.
  public let limits: PacketLimits

  /// Makes a reader at the beginning of a file.
  public init(limits: PacketLimits = PacketLimits()) { self.limits = limits }

  /// The next thing in `bytes` at `position`, which moves past all that was used.
  ///
  /// Ranges in the step are those of `bytes`. After `more(n)` call again with at least `n` bytes at the
  /// position (never more than `limits.blockBytes`), or `finish` if there are none.
  public mutating func next(
    in bytes: Span<UInt8>, from position: inout Int
  ) throws(CaptureError) -> CaptureStep {
    .more(1)
  }

  /// Says how the file ended; `remaining` is how many bytes lay beyond the position.
  public mutating func finish(remaining: Int) throws(CaptureError) -> CaptureEnd { .whole }
}
