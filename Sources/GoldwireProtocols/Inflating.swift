/// A running decompressor of one direction of one connection; zlib and its like stand behind it.
///
/// A reference, so that a decoder can be a plain value. A copy of a decoder shares its decompressor: keep one only.
public protocol Inflating: AnyObject {
  /// Decompresses from the front of `input` into the free part of `output`.
  ///
  /// Called again with the rest until all is taken and `output` was not filled. It must not wait for more input
  /// before it hands out what it can (`Z_SYNC_FLUSH`).
  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep

  /// Forgets the window and everything else, for a fresh start.
  func reset()

  /// Begins another stream behind one that has ended, which may point back to what the ended one gave.
  func goOn()
}

extension Inflating {
  /// Begins afresh, for formats whose streams never point back to one before.
  public func goOn() { reset() }
}
