#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Which file lies behind a name or a descriptor, so that nothing is written over what is being read.
///
/// Two names of one file have one identity: a path with detours, a symbolic link, a hard link. Only regular files
/// have one, since nothing is lost in a device, a pipe or a terminal.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that reading `path` reads; `-` is standard input.
  ///
  /// Nil where there is none, or no regular one.
  public init?(reading path: String) {
    if path == "-" {
      self.init(descriptor: STDIN_FILENO)
      return
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that writing to `path` writes; `-` is standard output.
  ///
  /// Nil where there is none, or no regular one.
  public init?(writing path: String) {
    if path == "-" { self.init(descriptor: STDOUT_FILENO) } else { self.init(reading: path) }
  }

  /// The file behind an open descriptor; nil where it is no regular one.
  public init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
