/// The packets that the kernel and the interface dropped, from counters that wrap around or begin again.
struct DropCounter: Equatable {
  private var kernel: UInt32 = 0
  private var interface: UInt32 = 0

  /// How many were dropped since this was asked last, by what both counters show now.
  mutating func take(kernel: UInt32, interface: UInt32) -> Int {
    defer { (self.kernel, self.interface) = (kernel, interface) }
    return DropCounter.step(from: self.kernel, to: kernel)
      + DropCounter.step(from: self.interface, to: interface)
  }

  /// A counter that wrapped went a short way on; one that seems to have gone a long way began again at 0.
  private static func step(from old: UInt32, to new: UInt32) -> Int {
    let way = new &- old
    return Int(way > UInt32.max / 2 ? new : way)
  }
}
