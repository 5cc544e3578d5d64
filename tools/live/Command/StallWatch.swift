import GoldwireLive
import GoldwireTap
import Synchronization

/// Watches how long this process was kept from running, so that a busy machine is not taken for a late client.
final class StallWatch: Sendable {
  private struct Stall {
    var end: TapInstant
    var microseconds: Int
  }

  /// How long the watch sleeps at a time.
  private static let step = 5_000
  /// A shorter one is no stall.
  private static let least = 20_000

  private let stalls = Mutex<[Stall]>([])

  /// Watches until its task is cancelled.
  func run() async {
    let clock = ContinuousDriverClock()
    while !Task.isCancelled {
      let due = TapInstant(microseconds: clock.now.microseconds + Self.step)
      guard (try? await clock.sleep(until: due)) != nil else { return }
      let end = clock.now
      let late = end.microseconds - due.microseconds
      if late >= Self.least { stalls.withLock { $0.append(Stall(end: end, microseconds: late)) } }
    }
  }

  /// The longest stall that ended after an instant, in microseconds.
  func worst(since instant: TapInstant) -> Int {
    stalls.withLock { $0.filter { $0.end > instant }.map(\.microseconds).max() ?? 0 }
  }
}
