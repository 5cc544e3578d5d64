#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is read piece by piece, or standard input.
package final class Input {
  /// The name for messages; `-` is standard input.
  package let name: String
  private let descriptor: Int32
  private let isOwned: Bool

  /// Opens a file; `-` is standard input.
  package init(_ path: String) throws(CommandError) {
    name = path
    guard path != "-" else {
      (descriptor, isOwned) = (0, false)
      return
    }
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    isOwned = true
    if descriptor < 0 { throw Files.failure("cannot open", path) }
  }

  deinit { if isOwned, descriptor >= 0 { _ = close(descriptor) } }

  /// Reads at most as many bytes as the buffer holds; 0 is the end.
  package func read(into buffer: inout [UInt8]) throws(CommandError) -> Int {
    try Descriptor.read(into: &buffer, from: descriptor, name: name)
  }
}

/// Files as wholes.
package enum Files {
  /// All bytes of a file, or of standard input for `-`.
  ///
  /// One that is larger than the limit is refused.
  package static func bytes(of path: String, limit: Int = 1 << 30) throws(CommandError) -> [UInt8] {
    let input = try Input(path)
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var all: [UInt8] = []
    while true {
      let count = try input.read(into: &piece)
      if count == 0 { return all }
      all.append(contentsOf: piece[..<count])
      if all.count > limit { throw CommandError("is larger than \(limit >> 20) MiB", file: path) }
    }
  }

  /// Opens a file for writing, made new or emptied, readable by its owner alone; `-` is the console's output.
  package static func output(_ path: String, _ console: Console) throws(CommandError) -> OutputFile {
    try OutputFile(path, console)
  }

  /// Writes a file so that it is there whole or not at all: beside it first, then renamed; an old one's mode is kept.
  package static func replace(_ path: String, with bytes: [UInt8], mode: UInt16 = 0o644) throws(CommandError)
  {
    var status = stat()
    let kept = unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : mode_t(mode)
    let beside = path + ".new-\(getpid())"
    let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kept)
    guard descriptor >= 0 else { throw failure("cannot write beside", path) }
    do throws(CommandError) {
      try Descriptor.write(bytes, to: descriptor, name: path)
      _ = fchmod(descriptor, kept)
      guard fsync(descriptor) == 0 else { throw failure("cannot write", path) }
    } catch {
      _ = close(descriptor)
      _ = unsafe unlink(beside)
      throw error
    }
    _ = close(descriptor)
    if unsafe rename(beside, path) != 0 {
      let error = failure("cannot replace", path)
      _ = unsafe unlink(beside)
      throw error
    }
  }

  /// The error of the last system call about a file.
  static func failure(_ doing: String, _ path: String) -> CommandError {
    let code = errno
    let remedy: String? =
      switch code {
      case ENOENT: "check the name"
      case EACCES, EPERM: "check its permissions"
      default: nil
      }
    return CommandError("\(doing): \(Descriptor.reason(code))", file: path, remedy: remedy)
  }
}

/// A file that is written, with a buffer before it; it is closed with its last reference.
package final class OutputFile {
  /// Where to write.
  package let output: Output
  private let descriptor: Int32

  fileprivate init(_ path: String, _ console: Console) throws(CommandError) {
    guard path != "-" else {
      (output, descriptor) = (console.output, -1)
      return
    }
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    output = Output(descriptor: descriptor, name: path)
    if descriptor < 0 { throw Files.failure("cannot write", path) }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }
}
