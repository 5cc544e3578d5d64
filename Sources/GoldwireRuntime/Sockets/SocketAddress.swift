internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Where a socket listens or connects to: an address of IPv4 or IPv6 and a port.
package struct SocketAddress: Hashable, Sendable {
  /// The system's own form of it.
  let bytes: [UInt8]

  /// An address in the system's own form.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// A port of this machine, 127.0.0.1; numbers outside 0 to 65535 are held to these.
  package static func loopback(_ port: Int) -> SocketAddress {
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(min(max(port, 0), 65_535)).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return unsafe withUnsafeBytes(of: &address) { unsafe SocketAddress(bytes: [UInt8]($0)) }
  }

  /// Its port.
  package var port: Int { bytes.count < 4 ? 0 : Int(bytes[2]) << 8 | Int(bytes[3]) }

  /// Whether it is of IPv6.
  var isSix: Bool {
    #if canImport(Darwin)
      bytes.count > 1 && Int32(bytes[1]) == AF_INET6
    #else
      bytes.count > 1 && Int32(bytes[0]) == AF_INET6
    #endif
  }

  /// The addresses of a host, in the system's order; a name is looked up on a thread of its own.
  ///
  /// Throws `dns` if there are none, and `cancelled` at once when the task is: the look-up then ends by itself.
  package static func resolve(host: String, port: Int) async throws(SocketError) -> [SocketAddress] {
    let once = Once<[SocketAddress]>()
    let found = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        once.begin(continuation)
        DispatchQueue(label: "goldwire.names").async { once.end(lookUp(host, port)) }
      }
    } onCancel: {
      once.end(nil)
    }
    guard let found else { throw .cancelled }
    if found.isEmpty { throw .dns }
    return found
  }

  private static func lookUp(_ host: String, _ port: Int) -> [SocketAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Darwin)
      unsafe hints.ai_socktype = SOCK_STREAM
    #else
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
    defer { if let first = unsafe first { unsafe freeaddrinfo(first) } }
    var found: [SocketAddress] = []
    var next = unsafe first
    while let info = unsafe next, found.count < SocketLimits.addresses {
      if let address = unsafe info.pointee.ai_addr {
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(info.pointee.ai_addrlen))
        unsafe found.append(SocketAddress(bytes: [UInt8](bytes)))
      }
      unsafe next = info.pointee.ai_next
    }
    return found
  }
}
