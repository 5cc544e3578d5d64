#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Waits at most so many milliseconds until a descriptor can be read; false if nothing came or a signal did.
func waitUntilReadable(_ descriptor: Int32, _ milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return unsafe poll(&entry, descriptor < 0 ? 0 : 1, milliseconds) > 0
}
