#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Writing and reading whole small files: goldens, configurations, locks.
public enum AtomicFile {
  /// Replaces a file at once: whoever reads it sees the old bytes or the new ones, never a part.
  ///
  /// A file that is there keeps its mode; a new one gets `mode` less the process's mask. The bytes are on the
  /// disk before the name changes.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o666) throws(FileError) {
    let target = resolved(path)
    var status = stat()
    let isThere = unsafe stat(target, &status) == 0
    let descriptor: Int32
    let temporary: String
    (temporary, descriptor) = try makeBeside(target, mode: mode, for: path)
    var code = writeFully(descriptor, bytes.span)
    if code == 0, isThere, fchmod(descriptor, status.st_mode & 0o7777) != 0 { code = errno }
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

  /// The file that a symbolic link leads to, so that the link itself stays.
  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
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
