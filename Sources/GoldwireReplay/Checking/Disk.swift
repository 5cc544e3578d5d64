#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif
internal import GoldwireTrace

/// What the checking of folders needs of the file system.
enum Disk {
  /// What stands at a path.
  enum Kind {
    case file
    case folder
    case absent
    /// A symbolic link to what is not there, or to itself.
    case danglingLink
    /// A pipe, a device or a socket: opening it could wait for ever.
    case other
    /// It cannot be looked at.
    case closed
  }

  /// A name in a folder.
  struct Entry {
    var name: String
    var kind: Kind
    /// Whether a symbolic link leads there.
    var isLink = false
    /// Whether the name is not UTF-8, so that it can be shown and no more.
    var isGarbled = false
  }

  /// A folder, whatever path leads to it.
  struct Identity: Hashable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// What stands at a path; symbolic links are followed.
  static func kind(of path: String) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) != 0 else { return kind(status.st_mode) }
    let code = errno
    guard code == ENOENT || code == ENOTDIR || code == ELOOP else { return .closed }
    return unsafe lstat(path, &status) == 0 ? .danglingLink : .absent
  }

  private static func kind(_ mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// What is in a folder, in the order of the names' bytes; hidden names are left out.
  static func entries(in folder: String) throws(ReplayError) -> [Entry] {
    guard let stream = unsafe opendir(folder) else {
      throw ReplayError(FileError(path: folder, .open, code: errno), path: folder)
    }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    errno = 0
    while let found = unsafe readdir(stream) {
      let bytes = unsafe withUnsafePointer(to: &found.pointee.d_name) { pointer in
        unsafe Array(UnsafeRawBufferPointer(start: pointer, count: strlen(cString(pointer))))
      }
      if bytes.first != 0x2E { entries.append(entry(bytes, type: unsafe Int(found.pointee.d_type), folder)) }
      errno = 0
    }
    if errno != 0 { throw ReplayError(FileError(path: folder, .read, code: errno), path: folder) }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func cString<Name>(_ pointer: UnsafePointer<Name>) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
  }

  private static func entry(_ bytes: [UInt8], type: Int, _ folder: String) -> Entry {
    guard let name = String(validating: bytes, as: UTF8.self) else {
      return Entry(
        name: String(decoding: bytes, as: UTF8.self), kind: type == Int(DT_REG) ? .file : .other,
        isGarbled: true)
    }
    switch type {
    case Int(DT_REG): return Entry(name: name, kind: .file)
    case Int(DT_DIR): return Entry(name: name, kind: .folder)
    case Int(DT_FIFO), Int(DT_CHR), Int(DT_BLK), Int(DT_SOCK): return Entry(name: name, kind: .other)
    default:
      let path = join(folder, name)
      return Entry(name: name, kind: kind(of: path), isLink: isLink(path))
    }
  }

  /// Whether a path is a symbolic link.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path of a name in a folder.
  static func join(_ folder: String, _ name: String) -> String {
    if folder == "." || folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// A path's folder and last part.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// The absolute path of what is there, without links; the path itself where nothing is.
  static func absolute(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
