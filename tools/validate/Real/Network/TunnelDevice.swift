internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#endif

/// A tunnel of the system's: packets that are routed into it are read here, and what is written here arrives.
///
/// It is made in the network namespace of the process, and needs its administrator's rights.
struct TunnelDevice: Sendable {
  /// Its name.
  static let name = "path0"

  private let descriptor: Int32

  #if canImport(Glibc)
    /// Makes it.
    ///
    /// Throws where the system has no tunnels, or does not permit one.
    init() throws {
      descriptor = unsafe open("/dev/net/tun", O_RDWR)
      guard descriptor >= 0 else {
        throw NetworkUnavailable("/dev/net/tun cannot be opened (error \(errno))")
      }
      // The request: a name of 16 bytes, then the kind: packets of IP (1), with nothing before them (0x1000).
      var request = [UInt8](repeating: 0, count: 40)
      request.replaceSubrange(0..<Self.name.utf8.count, with: Self.name.utf8)
      request.replaceSubrange(16..<18, with: [0x01, 0x10])
      let made = unsafe ioctl(descriptor, 0x4004_54CA, &request)
      guard made == 0 else { throw NetworkUnavailable("no tunnel can be made (error \(errno))") }
    }

    /// Waits so many milliseconds for packets; whether there is one.
    func waits(_ milliseconds: Int) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&entry, 1, Int32(milliseconds)) > 0
    }

    /// The next packet; nil where there is none.
    func packet() -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(descriptor, &bytes, bytes.count)
      return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Sends a packet into the system; one that it does not take is lost, as on any path.
    func send(_ packet: [UInt8]) { _ = unsafe write(descriptor, packet, packet.count) }
  #else
    init() throws { throw NetworkUnavailable("tunnels are known on Linux alone") }
    func waits(_ milliseconds: Int) -> Bool { false }
    func packet() -> [UInt8]? { nil }
    func send(_ packet: [UInt8]) {}
  #endif
}

/// Why sessions with a path that loses packets cannot be run here.
public struct NetworkUnavailable: Error, CustomStringConvertible {
  /// In words.
  public let description: String

  init(_ reason: String) {
    let known = "the network arm cannot run here: "
    // What a process within said of itself says it once.
    let words = reason.range(of: known).map { String(reason[$0.upperBound...]) } ?? reason
    description = known + words
  }
}
