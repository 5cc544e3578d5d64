#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Writing and reading whole small files: goldens, configurations, locks.
public enum AtomicFile {
  /// Replaces a file at once: whoever reads it sees the old bytes or the new ones, never a part.
  ///
  /// A file that is there keeps its mode unless that is not wanted, a symbolic link stays; a new file gets `mode` less
  /// the process's mask.
  /// The bytes are on the disk before the name changes. A device or pipe is written to as it is.
  public static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o666, keepsMode: Bool = true
  ) throws(FileError) {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try writeInPlace(bytes, path) }
    let target = resolved(path)
    let descriptor: Int32
    let temporary: String
    (temporary, descriptor) = try makeBeside(target, mode: mode, for: path)
    var code = writeFully(descriptor, bytes.span)
    if code == 0, isThere, keepsMode, fchmod(descriptor, status.st_mode & 0o7777) != 0 { code = errno }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, unsafe rename(temporary, target) != 0 { code = errno }
    if code != 0 {
      unsafe unlink(temporary)
      throw FileError(path: path, .replace, code: code)
    }
  }

  /// Reads a file whole, up to `limit` bytes.
  ///
  /// Throws an error of ``FileError/Operation/read`` with EFBIG for a longer one.
  public static func read(
    _ path: String, atMost limit: Int = TraceLimits().fileBytes
  ) throws(FileError) -> [UInt8] {
    var input = try ByteInput(path: path)
    var bytes: [UInt8] = []
    while try input.read(into: &bytes) {
      if bytes.count > limit { throw FileError(path: path, .read, code: EFBIG) }
    }
    return bytes
  }

  /// Writes to what is no regular file: such a thing is never replaced.
  private static func writeInPlace(_ bytes: [UInt8], _ path: String) throws(FileError) {
    ignoreBrokenPipes()
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError(path: path, .open, code: errno) }
    var code = writeFully(descriptor, bytes.span)
    if close(descriptor) != 0, code == 0 { code = errno }
    if code != 0 { throw FileError(path: path, .write, code: code) }
  }

  /// The file that symbolic links lead to, be it there or not, so that the links themselves stay.
  private static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<40 {
      if let real = unsafe realpath(path, nil) {
        defer { unsafe free(real) }
        return unsafe String(cString: real)
      }
      guard let next = target(ofLink: path) else { return path }
      path = next
    }
    return path
  }

  /// Where a symbolic link leads; nil for what is none.
  private static func target(ofLink path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { room in
        unsafe room.baseAddress.map { unsafe readlink(path, $0, room.count) } ?? -1
      }
    }
    guard count > 0 else { return nil }
    let target = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }

  /// Makes a new file beside `target`, under a name that nothing has.
  private static func makeBeside(
    _ target: String, mode: UInt32, for path: String
  ) throws(FileError) -> (String, Int32) {
    for number in 0..<100 {
      let name = target + ".\(getpid()).\(number).tmp"
      let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode & 0o777))
      if descriptor >= 0 { return (name, descriptor) }
      if errno != EEXIST { throw FileError(path: path, .replace, code: errno) }
    }
    throw FileError(path: path, .replace, code: EEXIST)
  }
}
