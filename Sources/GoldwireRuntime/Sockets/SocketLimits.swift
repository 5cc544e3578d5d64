/// What the socket layer takes at most.
package enum SocketLimits {
  /// The bytes of one read.
  package static let read = 262_144
  /// The bytes handed to the system at once.
  package static let write = 262_144
  /// The addresses that are tried for one host.
  package static let addresses = 16
  /// The connections that the system may keep for a listener that does not take them yet.
  package static let backlog = 1024
}
