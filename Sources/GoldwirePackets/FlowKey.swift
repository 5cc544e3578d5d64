/// The two endpoints of a connection, the lower one first, so that both directions have one key.
public struct FlowKey: Equatable, Hashable, Sendable {
  /// The lower endpoint's address.
  public var firstAddress: IPAddress
  /// The higher endpoint's address.
  public var secondAddress: IPAddress
  /// The lower endpoint's port in the upper half, the higher one's in the lower half.
  public var ports: UInt32

  /// Makes the key of a packet, and says which side sent it.
  @inlinable @inline(__always)
  public init(from source: Endpoint, to destination: Endpoint, sender: inout Side) {
    let swapped =
      source.address == destination.address
      ? source.port > destination.port : destination.address < source.address
    sender = swapped ? .second : .first
    firstAddress = swapped ? destination.address : source.address
    secondAddress = swapped ? source.address : destination.address
    let lower = swapped ? destination.port : source.port
    let higher = swapped ? source.port : destination.port
    ports = UInt32(lower) << 16 | UInt32(higher)
  }

  /// The endpoint of one side.
  public func endpoint(of side: Side) -> Endpoint {
    side == .first
      ? Endpoint(address: firstAddress, port: UInt16(truncatingIfNeeded: ports >> 16))
      : Endpoint(address: secondAddress, port: UInt16(truncatingIfNeeded: ports))
  }

  /// Whether both are the key of one connection.
  @inlinable @inline(__always)
  public static func == (left: FlowKey, right: FlowKey) -> Bool {
    (left.firstAddress.low ^ right.firstAddress.low) | (left.secondAddress.low ^ right.secondAddress.low)
      | UInt64(left.ports ^ right.ports) | (left.firstAddress.high ^ right.firstAddress.high)
      | (left.secondAddress.high ^ right.secondAddress.high) == 0
  }
}
