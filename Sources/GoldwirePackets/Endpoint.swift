/// An IP address and a TCP port.
public struct Endpoint: Equatable, Hashable, Sendable {
  /// The address.
  public var address: IPAddress
  /// The port.
  public var port: UInt16

  /// Makes an endpoint.
  @inlinable
  public init(address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }
}
