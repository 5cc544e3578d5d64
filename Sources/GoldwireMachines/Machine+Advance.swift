extension Machine {
  /// Ticks at each wake-up from `now` up to and including `end`, as a clock that is never late would.
  ///
  /// Each action comes with its instant. Stops early should a tick leave the wake-up where it was.
  @inlinable
  public mutating func advance(from now: Int, through end: Int, emit: (Int, Action) -> Void) {
    var instant = now
    while let due = wakeup, due <= end {
      instant = max(instant, due)
      tick(at: instant) { emit(instant, $0) }
      if wakeup == due { return }
    }
  }
}
