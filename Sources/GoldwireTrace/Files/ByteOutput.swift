#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// A file or standard output that bytes are appended to, compressed where its name ends in `.gz`.
///
/// What was written stays readable whatever happens later: there is no buffer here but the compressor's, and
/// ``sync()`` empties that. A pipe whose reader has gone is a ``FileError`` like any other, not the end of the
/// process.
public final class ByteOutput {
  /// The file as the caller named it; `-` for standard output.
  public let path: String
  private let descriptor: Int32
  private var gzip: GzipWriter?
  private var compressed: [UInt8] = []
  private var isFinished = false

  /// Creates a file, or empties one that is there; `-` is standard output.
  ///
  /// A file that is made has mode 0600, and so has one that was there: recordings are private. Throws before
  /// anything is changed where the file is `input`, by whatever name.
  public init(path: String, apartFrom input: FileIdentity? = nil) throws(FileError) {
    self.path = path
    ignoreBrokenPipes()
    if path == "-" {
      descriptor = STDOUT_FILENO
    } else {
      descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw FileError(path: path, .open, code: errno) }
    }
    // Devices and pipes keep their mode: only a regular file can be a recording.
    let identity = FileIdentity(descriptor: descriptor)
    if identity != nil, identity == input { throw FileError(path: path, .overwrite, code: 0) }
    if identity != nil, path != "-" {
      guard ftruncate(descriptor, 0) == 0 else { throw FileError(path: path, .open, code: errno) }
      fchmod(descriptor, 0o600)
    }
    guard path.hasSuffix(".gz") else { return }
    do throws(Inflater.Failure) { gzip = try GzipWriter() } catch {
      throw FileError(path: path, .open, code: ENOMEM)
    }
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Writes all of `bytes`.
  public func write(_ bytes: Span<UInt8>) throws(FileError) {
    guard gzip != nil else { return try writeAll(bytes) }
    gzip?.write(bytes, to: &compressed)
    try drain()
  }

  /// Makes what was written readable now, though a compressed file may go on for long.
  ///
  /// Each time costs a compressed file some bytes; others need it not.
  public func sync() throws(FileError) {
    if isFinished { return }
    gzip?.sync(to: &compressed)
    try drain()
  }

  /// Ends a compressed file; for others there is nothing to do.
  public func finish() throws(FileError) {
    if isFinished { return }
    isFinished = true
    gzip?.finish(to: &compressed)
    try drain()
  }

  private func drain() throws(FileError) {
    if compressed.isEmpty { return }
    var bytes: [UInt8] = []
    swap(&bytes, &compressed)
    try writeAll(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &compressed)
  }

  private func writeAll(_ bytes: Span<UInt8>) throws(FileError) {
    let code = writeFully(descriptor, bytes)
    if code != 0 { throw FileError(path: path, .write, code: code) }
  }
}

/// Writes all of `bytes`; gives the system's error number, or 0.
package func writeFully(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Int32 {
  unsafe bytes.withUnsafeBufferPointer { buffer in
    var offset = 0
    while offset < buffer.count {
      let count = unsafe systemWrite(
        descriptor, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset)
      if count >= 0 {
        offset += count
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// Makes writing to a pipe without a reader, or beyond the size that a file may have, an error of that write, once
/// for the process.
func ignoreBrokenPipes() { _ = brokenPipesAreIgnored }

private let brokenPipesAreIgnored: Bool = {
  signal(SIGPIPE, SIG_IGN)
  signal(SIGXFSZ, SIG_IGN)
  return true
}()

private func systemWrite(_ descriptor: Int32, _ base: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  unsafe write(descriptor, base, count)
}
