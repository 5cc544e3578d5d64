internal import GoldwireTrace
internal import Synchronization

extension Tap {
  /// The wall clock at an instant as the trace tells it, in microseconds since 1970.
  ///
  /// A driver that turns a date into a span by this clock is replayed to the same span.
  package func wall(at instant: TapInstant) -> Int { keeper.wall(at: instant) }
}

extension TapKeeper {
  func wall(at instant: TapInstant) -> Int {
    let elapsed = clock.t(of: instant.microseconds) &+ steps.load(ordering: .relaxed)
    return clock.wall.epoch(at: elapsed)
  }
}
