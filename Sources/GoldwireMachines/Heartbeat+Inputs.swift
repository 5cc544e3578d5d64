/// What can happen to a heartbeat; each method is generation-checked and gives at most one action.
extension Heartbeat {
  /// Makes the next generation, retires all older ones, and returns its number.
  ///
  /// No connect timeout runs, since no instant is given. At `Int.max` the numbers are used up:
  /// nothing changes then.
  @inlinable
  public mutating func connect() -> Int {
    _ = connect(as: current == .max ? current : current &+ 1, now: nil)
    return current
  }

  /// Makes the next generation at the instant `now`, from which the connect timeout runs.
  @inlinable
  public mutating func connect(now: Int) -> Int {
    _ = connect(as: current == .max ? current : current &+ 1, now: now)
    return current
  }

  /// Takes a recorded generation number; one that is not greater than the latest is refused.
  ///
  /// Gives `ended` with the cause `superseded` for an older generation that still lived.
  @inlinable
  public mutating func connect(as generation: Int, now: Int?) -> Action? {
    guard generation > current else { return nil }
    let retired: Action? = state == .idle ? nil : finish(.superseded)
    current = generation
    state = .connecting
    pings = 0
    completed = false
    nextPing = nil
    if let now, let span = parameters.connectTimeout { deadline = later(now, span) }
    return retired
  }

  /// Takes a generation as open with its ping due now, after a gap in what is known.
  ///
  /// `pingID` is the ordinal that this ping has in its generation. An older generation is dropped
  /// without a word, since its end was not seen; a number below the latest is refused.
  @inlinable
  public mutating func resume(_ generation: Int, pingID: Int?, now: Int) {
    guard generation >= current else { return }
    current = generation
    state = .open
    inBackground = false
    awaiting = false
    completed = false
    deadline = nil
    nextPing = now
    if let pingID { pings = max(1, pingID) &- 1 } else { pings = 0 }
  }

  /// The handshake succeeded: the first ping is due an interval from now.
  @inlinable
  public mutating func opened(_ generation: Int, now: Int) {
    guard generation == current, state == .connecting else { return }
    state = .open
    awaiting = false
    deadline = nil
    nextPing = later(now, parameters.interval)
  }

  /// A pong came, of which the source cannot tell the ping that it answers.
  @inlinable
  public mutating func pong(_ generation: Int, now: Int) {
    pong(generation, id: nil, now: now)
  }

  /// A pong came; with an id it answers only the ping of that ordinal.
  ///
  /// One that comes exactly at the deadline is late, whether the timer was handled before it or not.
  @inlinable
  public mutating func pong(_ generation: Int, id: Int?, now: Int) {
    guard generation == current, state == .open, awaiting, isBeforeDeadline(now) else { return }
    guard id == nil || id == pings else {
      if parameters.policy == .anyInboundIsLife { deadline = later(now, parameters.timeout) }
      return
    }
    awaiting = false
    deadline = nil
    if parameters.cadence == .afterPong { nextPing = later(now, parameters.interval) }
  }

  /// A ping's completion was called; only the first of each ping counts, and only `ok` is a pong.
  @inlinable
  public mutating func pinged(
    _ generation: Int, id: Int?, result: PingResult, now: Int
  ) -> Action? {
    guard generation == current, state == .open, awaiting, !completed else { return nil }
    guard id == nil || id == pings else { return nil }
    completed = true
    switch result {
    case .ok:
      pong(generation, id: id, now: now)
      return nil
    case .error, .cancelled:
      return finish(.sendFailed)
    }
  }

  /// Anything inbound but a pong: life under `anyInboundIsLife`, nothing otherwise.
  @inlinable
  public mutating func inbound(_ generation: Int, now: Int) {
    guard parameters.policy == .anyInboundIsLife else { return }
    guard generation == current, state == .open, awaiting else { return }
    deadline = later(now, parameters.timeout)
  }

  /// A connection could not be made, broke, or was ended by the peer.
  @inlinable
  public mutating func ended(_ generation: Int, cause: Cause, code: Int? = nil) -> Action? {
    guard generation == current, state != .idle else { return nil }
    return finish(cause, code: code)
  }

  /// The user wants the connection closed; nothing more is asked for that generation.
  @inlinable
  public mutating func userClose(_ generation: Int) -> Action? {
    guard generation == current, state != .idle else { return nil }
    return close(.userClosed)
  }

  /// The app went to the background, where nothing wakes the machine.
  @inlinable
  public mutating func background() { inBackground = true }

  /// The app is in the foreground again: the connection is judged first, then perhaps pinged.
  @inlinable
  public mutating func foreground(now: Int) -> Action? {
    inBackground = false
    guard state == .open else { return nil }
    if awaiting { return isBeforeDeadline(now) ? nil : close(.staleOnResume) }
    guard let nextPing, now >= nextPing else { return nil }
    return ping(now)
  }

  /// The network changed: an open connection on which nothing is awaited is probed at once.
  @inlinable
  public mutating func network(available: Bool, now: Int) -> Action? {
    guard available, state == .open, !awaiting, !inBackground else { return nil }
    return ping(now)
  }

  /// Time has passed: sends the ping that is due, or closes at the deadline; early ticks do nothing.
  @inlinable
  public mutating func tick(now: Int) -> Action? {
    switch state {
    case .idle:
      return nil
    case .connecting:
      return isBeforeDeadline(now) ? nil : close(.connectTimeout)
    case .open:
      if awaiting { return isBeforeDeadline(now) ? nil : close(.pongTimeout) }
      guard !inBackground, let nextPing, now >= nextPing else { return nil }
      return ping(now)
    }
  }
}

// MARK: - Steps

extension Heartbeat {
  @inlinable
  mutating func ping(_ now: Int) -> Action {
    awaiting = true
    completed = false
    deadline = later(now, parameters.timeout)
    if parameters.cadence == .fixed { nextPing = later(now, parameters.interval) }
    if pings < .max { pings &+= 1 }
    return .ping(current)
  }

  @inlinable
  mutating func close(_ cause: Cause) -> Action {
    _ = finish(cause)
    return .close(current)
  }

  @inlinable
  mutating func finish(_ cause: Cause, code: Int? = nil) -> Action {
    state = .idle
    awaiting = false
    deadline = nil
    end = End(generation: current, cause: cause, code: code)
    return .ended(current)
  }

  /// Strictly before; a deadline beyond the clock's range is never reached.
  @inlinable
  func isBeforeDeadline(_ now: Int) -> Bool {
    guard let deadline else { return true }
    return now < deadline
  }

  /// `now + span`, or nil where the clock cannot show that instant.
  @inlinable
  func later(_ now: Int, _ span: Int) -> Int? {
    let (instant, overflow) = now.addingReportingOverflow(span)
    return overflow ? nil : instant
  }
}
