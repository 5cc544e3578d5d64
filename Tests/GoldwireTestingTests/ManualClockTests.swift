import GoldwireTap
import GoldwireTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
  @Test func timeStandsStill() {
    let clock = ManualClock()
    #expect(clock.now == clock.now)
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.elapsed == .milliseconds(1_500))
    clock.advance(to: clock.instant(after: .seconds(1)))
    #expect(clock.elapsed == .milliseconds(1_500), "it never goes back")
  }

  @Test func aWaitEndsAtItsInstantAndNotBefore() async throws {
    let clock = ManualClock()
    let due = clock.instant(after: .seconds(3))
    let sleeper = Task { try await clock.sleep(until: due) }
    #expect(await clock.waits() == due)
    clock.advance(to: clock.instant(after: .milliseconds(2_999)))
    #expect(clock.waiting == 1)
    clock.advance(to: due)
    try await sleeper.value
    #expect(clock.waiting == 0)
  }

  @Test func aWaitForThePastEndsAtOnce() async throws {
    let clock = ManualClock()
    try await clock.sleep(until: clock.now)
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: clock.instant(after: .seconds(4)))
  }

  @Test func aCancelledWaitLeavesNothingBehind() async {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(until: clock.instant(after: .seconds(1))) }
    _ = await clock.waits()
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.waiting == 0)
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNotWait() async {
    let clock = ManualClock()
    let sleeper = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(until: clock.instant(after: .seconds(1)))
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func waitsAreSeenInTheirNumber() async throws {
    let clock = ManualClock()
    let spans = [Duration.seconds(5), .seconds(2), .seconds(9)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for span in spans { group.addTask { try await clock.sleep(until: clock.instant(after: span)) } }
      #expect(await clock.waits(3) == clock.instant(after: .seconds(2)))
      #expect(clock.due == [2, 5, 9].map { clock.instant(after: .seconds($0)) })
      await clock.advanceToNextWait()
      #expect(clock.waiting == 2)
      clock.advance(by: .seconds(100))
      try await group.waitForAll()
    }
  }
}
