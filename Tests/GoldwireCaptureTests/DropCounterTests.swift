import Testing

@testable import GoldwireCapture

/// Dropped packets, told from counters.
@Suite struct DropCounterTests {
  @Test func stepsOfBothCountersAreToldOnce() {
    var counter = DropCounter()
    #expect(counter.take(kernel: 3, interface: 2) == 5)
    #expect(counter.take(kernel: 3, interface: 2) == 0)
    #expect(counter.take(kernel: 10, interface: 2) == 7)
    #expect(counter.take(kernel: 10, interface: 5) == 3)
  }

  @Test func aCounterMayWrapOrBeginAgain() {
    var counter = DropCounter()
    _ = counter.take(kernel: 2_000_000_000, interface: 7)
    _ = counter.take(kernel: 4_000_000_000, interface: 7)
    #expect(counter.take(kernel: 4_294_967_295, interface: 7) == 294_967_295)
    #expect(counter.take(kernel: 4, interface: 7) == 5)
    // One counter that begins again does not hide what the other tells.
    #expect(counter.take(kernel: 6, interface: 1) == 3)
  }
}
