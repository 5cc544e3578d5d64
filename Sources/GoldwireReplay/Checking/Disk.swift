#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif
internal import GoldwireTrace

/// What the checking of folders needs of the file system.
enum Disk {
  enum Kind {
    case file
    case folder
    case absent
  }

  /// What stands at a path; symbolic links are followed.
  static func kind(of path: String) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .absent }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// Whether a path is a symbolic link.
  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The names in a folder, in the order of their bytes; hidden ones are left out.
  static func names(in folder: String) throws(ReplayError) -> [String] {
    guard let stream = unsafe opendir(folder) else {
      throw ReplayError(FileError(path: folder, .open, code: errno), path: folder)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The folders below a folder and itself, depth first in the order of their names; links are not followed.
  static func folders(below root: String) throws(ReplayError) -> [(path: String, files: [String])] {
    var found: [(path: String, files: [String])] = []
    var pending = [root]
    while let folder = pending.popLast() {
      var (files, folders) = ([String](), [String]())
      for name in try names(in: folder) {
        let path = join(folder, name)
        switch kind(of: path) {
        case .file: files.append(name)
        case .folder: if !isLink(path) { folders.append(path) }
        case .absent: continue
        }
      }
      found.append((folder, files))
      pending += folders.reversed()
    }
    return found
  }

  /// The path of a name in a folder.
  static func join(_ folder: String, _ name: String) -> String {
    if folder == "." || folder.isEmpty { return name }
    return folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// A path's folder and last part.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
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
