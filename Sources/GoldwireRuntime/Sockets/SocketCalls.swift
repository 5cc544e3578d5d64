#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The system's calls for sockets, with what differs between systems; each gives the system's number for a failure.
enum SocketCalls {
  /// What reading or writing without waiting gave.
  enum Transfer {
    case bytes(Int)
    case later
    case failed(SocketError)
  }

  /// A stream socket that does not block, is not inherited, sends small segments at once and raises no signal.
  static func stream(six: Bool = false) throws(SocketError) -> Int32 {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(six ? AF_INET6 : AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SocketError(code: errno) }
    prepare(descriptor)
    return descriptor
  }

  /// Sets what every socket has.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
  }

  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes the next close a reset.
  static func abandon(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// The failure that the socket keeps for its owner; nil if there is none.
  static func failure(_ descriptor: Int32) -> SocketError? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
      return SocketError(code: errno)
    }
    return code == 0 ? nil : SocketError(code: code)
  }

  /// Begins to connect; true if it is done already.
  static func connect(_ descriptor: Int32, _ address: SocketAddress) throws(SocketError) -> Bool {
    let status = unsafe address.bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = unsafe raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      #if canImport(Darwin)
        return unsafe Darwin.connect(descriptor, base, socklen_t(raw.count))
      #else
        return unsafe Glibc.connect(descriptor, base, socklen_t(raw.count))
      #endif
    }
    if status == 0 { return true }
    guard errno == EINPROGRESS || errno == EINTR else { throw SocketError(code: errno) }
    return false
  }

  static func bind(_ descriptor: Int32, _ address: SocketAddress) throws(SocketError) {
    let status = unsafe address.bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = unsafe raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
      #if canImport(Darwin)
        return unsafe Darwin.bind(descriptor, base, socklen_t(raw.count))
      #else
        return unsafe Glibc.bind(descriptor, base, socklen_t(raw.count))
      #endif
    }
    if status != 0 { throw SocketError(code: errno) }
  }

  /// The address of this side, or of the other; nil where there is none.
  static func address(_ descriptor: Int32, ofPeer isPeer: Bool) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe isPeer ? getpeername(descriptor, address, &length) : getsockname(descriptor, address, &length)
      }
    }
    guard status == 0 else { return nil }
    return unsafe withUnsafeBytes(of: &storage) { raw in
      unsafe SocketAddress(bytes: [UInt8](raw.prefix(Int(length))))
    }
  }

  /// The port of this side, or of the other.
  static func port(_ descriptor: Int32, ofPeer isPeer: Bool) -> Int {
    address(descriptor, ofPeer: isPeer)?.port ?? 0
  }

  /// Whether a socket is connected to itself.
  ///
  /// That happens where nobody listens at a port and the system gives the connecting side that very port: who tries again
  /// and again would once take itself for the server.
  static func isOwnPeer(_ descriptor: Int32) -> Bool {
    let own = address(descriptor, ofPeer: false)
    return own != nil && own == address(descriptor, ofPeer: true)
  }

  /// Reads what is there, at most `count` bytes; none at the end of the stream.
  static func receive(_ descriptor: Int32, _ count: Int, into bytes: inout [UInt8]) -> Transfer {
    var got = 0
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { room, initialized in
      repeat { got = unsafe recv(descriptor, room.baseAddress, count, 0) } while got < 0 && errno == EINTR
      initialized = max(got, 0)
    }
    if got >= 0 { return .bytes(got) }
    return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .failed(SocketError(code: errno))
  }

  /// Writes what there is room for.
  static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Transfer {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var sent = 0
    unsafe bytes.withUnsafeBytes { raw in
      let count = min(raw.count, SocketLimits.write)
      repeat {
        #if canImport(Darwin)
          sent = unsafe Darwin.send(descriptor, raw.baseAddress, count, flags)
        #else
          sent = unsafe Glibc.send(descriptor, raw.baseAddress, count, flags)
        #endif
      } while sent < 0 && errno == EINTR
    }
    if sent >= 0 { return .bytes(sent) }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS
      ? .later : .failed(SocketError(code: errno))
  }
}

// The loop's own calls.
extension SocketCalls {
  /// A pipe whose ends do not block.
  static func pipe() -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let status = unsafe Darwin.pipe(&ends)
    #else
      let status = unsafe Glibc.pipe(&ends)
    #endif
    precondition(status == 0, "the system gives no pipe to wake the thread that waits for sockets")
    for end in ends {
      _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }

  static func writeByte(_ descriptor: Int32) {
    var byte: UInt8 = 1
    // A full pipe wakes as well.
    _ = unsafe write(descriptor, &byte, 1)
  }

  static func drain(_ descriptor: Int32) {
    var room = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &room, 64) > 0 {}
  }

  /// Waits for the sockets; gives how many of the list are ready.
  static func poll(_ list: inout [pollfd]) -> Int {
    #if canImport(Darwin)
      let ready = unsafe Darwin.poll(&list, nfds_t(list.count), -1)
    #else
      let ready = unsafe Glibc.poll(&list, nfds_t(list.count), -1)
    #endif
    return Int(max(ready, 0))
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }
}
