import GoldwireTap
import Testing

@testable import GoldwireRuntime

@Suite struct ContinuousDriverClockTests {
  private let clock = ContinuousDriverClock()

  @Test func neverGoesBack() {
    var last = clock.now
    for _ in 0..<1_000 {
      let now = clock.now
      #expect(now >= last)
      last = now
    }
  }

  @Test(.timeLimit(.minutes(1))) func aWaitIsNeverTooShort() async throws {
    for microseconds in [0, 1, 999, 1_000, 1_501] {
      let end = TapInstant(microseconds: clock.now.microseconds + microseconds)
      try await clock.sleep(until: end)
      #expect(clock.now >= end)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aCancelledWaitThrows() async {
    let clock = clock
    let task = Task { try await clock.sleep(until: TapInstant(microseconds: .max)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Also one that is over already.
    let late = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(until: TapInstant(microseconds: 0))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func unitsStayInTheirRange() {
    for _ in 0..<1_000 { #expect((0...1_000_000).contains(systemRandomUnit())) }
  }
}
