#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A place that bytes are written to, with a buffer before it: standard output, a file, or a test's own memory.
///
/// A pipe that its reader has closed throws ``CommandError/closedPipe``; any other failure names the file.
package final class Output {
  private static let capacity = 1 << 16
  private var buffer: [UInt8] = []
  private let drain: ([UInt8]) throws(CommandError) -> Void
  /// Whether each line is written at once.
  private let isLineBuffered: Bool

  /// Makes an output of a closure that takes whole pieces.
  package init(isLineBuffered: Bool = false, _ drain: @escaping ([UInt8]) throws(CommandError) -> Void) {
    self.isLineBuffered = isLineBuffered
    self.drain = drain
    buffer.reserveCapacity(Self.capacity)
  }

  /// Makes an output of an open descriptor, which stays open.
  package convenience init(descriptor: Int32, name: String, isLineBuffered: Bool = false) {
    self.init(isLineBuffered: isLineBuffered) { (bytes) throws(CommandError) in
      try Descriptor.write(bytes, to: descriptor, name: name)
    }
  }

  /// Writes text.
  package func write(_ text: String) throws(CommandError) {
    buffer.append(contentsOf: text.utf8)
    try settle()
  }

  /// Writes a line; the line end is added.
  package func line(_ text: String = "") throws(CommandError) { try write(text + "\n") }

  /// Writes bytes.
  package func write(_ bytes: [UInt8]) throws(CommandError) {
    buffer.append(contentsOf: bytes)
    try settle()
  }

  /// Hands on what is buffered.
  package func flush() throws(CommandError) {
    guard !buffer.isEmpty else { return }
    let bytes = buffer
    buffer.removeAll(keepingCapacity: true)
    try drain(bytes)
  }

  private func settle() throws(CommandError) {
    if buffer.count >= Self.capacity || isLineBuffered && buffer.last == 0x0A { try flush() }
  }
}

/// Reads and writes of open descriptors, with errors in words.
enum Descriptor {
  /// Writes all of the bytes.
  static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(CommandError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        unsafe systemWrite(descriptor, raw.baseAddress.map { unsafe $0 + done }, raw.count - done)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EPIPE { throw .closedPipe }
        throw CommandError("cannot write: \(reason(errno))", file: name)
      }
      done += count
    }
  }

  /// Reads at most as many bytes as the buffer holds; 0 is the end.
  static func read(into buffer: inout [UInt8], from descriptor: Int32, name: String) throws(CommandError)
    -> Int
  {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { raw in
        unsafe systemRead(descriptor, raw.baseAddress, raw.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw CommandError("cannot read: \(reason(errno))", file: name) }
    }
  }

  /// The system's words for an error number.
  static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}
