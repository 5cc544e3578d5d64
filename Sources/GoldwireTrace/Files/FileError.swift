#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Why a file could not be opened, read or written.
public struct FileError: Error, Equatable, Sendable {
  /// What was tried.
  public enum Operation: String, Sendable {
    case open, read, write, replace, inflate, overwrite
  }

  /// The file as the caller named it; `-` for standard input and output.
  public var path: String
  /// What was tried.
  public var operation: Operation
  /// The system's error number, or 0 where the fault lies in the file.
  public var code: Int32

  /// Makes an error.
  public init(path: String, _ operation: Operation, code: Int32) {
    self.path = path
    self.operation = operation
    self.code = code
  }

  /// Whether the reader of a pipe has gone.
  public var isBrokenPipe: Bool { code == EPIPE }
}

extension FileError: CustomStringConvertible {
  /// One line in plain words, the same in every locale: `cannot open a.jsonl: no such file`.
  public var description: String { "cannot \(operation.rawValue) \(path): \(reason)" }

  /// Why, in words.
  public var reason: String {
    switch code {
    case 0 where operation == .overwrite: "it is the file that is read"
    case 0: "the compressed data is damaged or inflates to too much"
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of the path is no folder"
    case ENOSPC, EDQUOT: "no space left"
    case EROFS: "the file system is read-only"
    case EPIPE: "the reader has gone"
    case EFBIG: "the file would be too large"
    case EMFILE, ENFILE: "too many open files"
    case EIO: "input or output error"
    default: "system error \(code)"
    }
  }
}
