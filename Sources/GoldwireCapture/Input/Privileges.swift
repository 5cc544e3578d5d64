#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The rights that opening a device needs, and how they are given up right after.
public enum Privileges {
  /// Gives up root's rights for those of `user`, else of whom sudo was called by; nothing without root's
  /// rights.
  ///
  /// Throws where a user is named and the rights cannot be given up, since going on would be more than was
  /// asked.
  public static func drop(user: String?, environment: [String: String]) throws(CaptureFailure) {
    guard geteuid() == 0 else { return }
    if let user {
      guard let entry = unsafe getpwnam(user) else { throw CaptureFailure("-Z", "there is no such user") }
      return try become(unsafe entry.pointee.pw_uid, unsafe entry.pointee.pw_gid, user)
    }
    guard let uid = environment["SUDO_UID"].flatMap({ UInt32($0) }), uid != 0,
      let gid = environment["SUDO_GID"].flatMap({ UInt32($0) })
    else { return }
    let name = unsafe getpwuid(uid).map { unsafe String(cString: $0.pointee.pw_name) }
    try become(uid, gid, name)
  }

  private static func become(_ uid: uid_t, _ gid: gid_t, _ name: String?) throws(CaptureFailure) {
    if let name {
      #if canImport(Darwin)
        _ = unsafe initgroups(name, Int32(bitPattern: gid))
      #else
        _ = unsafe initgroups(name, gid)
      #endif
    } else {
      _ = setgroups(0, nil)
    }
    guard setgid(gid) == 0, setuid(uid) == 0, uid == 0 || setuid(0) != 0 else {
      throw CaptureFailure("privileges", "cannot be given up", remedy: "run it without sudo on a file")
    }
  }
}
