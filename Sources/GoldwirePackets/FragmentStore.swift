/// IP fragments that wait for the rest of their datagram.
struct FragmentStore: Sendable {
  let limits: PacketLimits
  var lost: Int = 0
  init(limits: PacketLimits) { self.limits = limits }
}
