public import GoldwireTap

/// The app's session, a number that the app raises at login, at logout, and at each change of account.
///
/// It says nothing of connections. Drivers that share a gate check it before each send, after each wait and before each
/// delivery, and drop what belongs to a session that is over.
public final class SessionGate: Sendable {
  private let clock: any DriverClock
  private let tap: Tap?
  private let number = Watched(1)

  /// Makes a gate of the first session, which records each change.
  ///
  /// The clock must be that of the drivers which share the gate.
  public init(clock: any DriverClock = ContinuousDriverClock(), tap: Tap? = nil) {
    self.clock = clock
    self.tap = tap
  }

  /// The number of the present session.
  public var session: Int { number.value }

  /// Begins another session; everything that was begun in an older one is dropped from now on.
  public func raise() {
    number.update { number in
      number += 1
      _ = tap?.session(at: clock.now)
    }
  }

  /// Runs a step of a driver while the session cannot change, at an instant that is read in the same moment.
  ///
  /// What the step records therefore stands on the same side of a change as what it decided. It must be short.
  package func step<Result>(_ body: (_ session: Int, _ now: TapInstant) -> Result) -> Result {
    number.look { body($0, clock.now) }
  }

  /// Returns once the session is another than `session`.
  ///
  /// Throws `CancellationError` when the task is cancelled.
  package func changes(from session: Int) async throws {
    try await number.wait { $0 == session ? nil : () }
  }
}
