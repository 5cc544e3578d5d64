package import GoldwireTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A stream that text is written to, with a buffer before it: standard output, standard error, or a test's memory.
///
/// A pipe that its reader has closed is an error like any other, told in one line.
package final class Output {
  private static let capacity = 1 << 16
  private var buffer: [UInt8] = []
  private let drain: (Span<UInt8>) throws(FileError) -> Void
  private let isLineBuffered: Bool

  /// Makes an output of a closure that takes whole pieces.
  package init(isLineBuffered: Bool = false, _ drain: @escaping (Span<UInt8>) throws(FileError) -> Void) {
    self.isLineBuffered = isLineBuffered
    self.drain = drain
  }

  /// Makes an output of an open descriptor, which stays open.
  package convenience init(descriptor: Int32, name: String, isLineBuffered: Bool = false) {
    self.init(isLineBuffered: isLineBuffered) { (bytes) throws(FileError) in
      let code = writeFully(descriptor, bytes)
      if code != 0 { throw FileError(path: name, .write, code: code) }
    }
  }

  /// Writes text.
  package func write(_ text: String) throws(CommandError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity || isLineBuffered && buffer.last == 0x0A { try flush() }
  }

  /// Writes a line; the line end is added.
  package func line(_ text: String = "") throws(CommandError) { try write(text + "\n") }

  /// Writes bytes: lines that stand ready.
  package func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity || isLineBuffered { try flush() }
  }

  /// Hands on what is buffered.
  package func flush() throws(CommandError) {
    do throws(FileError) { try handOn() } catch { throw CommandError(error) }
  }

  /// Hands on a block at once, after what is buffered: the door for a ``TraceWriter``.
  package func send(_ bytes: Span<UInt8>) throws(FileError) {
    try handOn()
    try drain(bytes)
  }

  private func handOn() throws(FileError) {
    guard !buffer.isEmpty else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    try drain(buffer.span)
  }
}
