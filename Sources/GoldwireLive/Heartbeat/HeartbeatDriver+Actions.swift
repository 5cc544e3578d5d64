import GoldwireMachines
import GoldwireTap
import GoldwireTrace

/// What goes out: the machine's actions, the timer, and what the app is told.
extension HeartbeatDriver {
  /// Carries out an action, if the connection that it is for is still the one that there is.
  ///
  /// Actions name their generation, and a newer connection may have been made in between: an old close must not reach it.
  func carryOut(_ action: Heartbeat.Action, at now: TapInstant, from before: Heartbeat.Phase) {
    switch action {
    case .ping(let generation):
      guard let live = connection(of: generation), let ordinal = machine.pingID else { return }
      self.live?.awaited = ordinal
      live.link.tap?.pingSent(bytes: live.connection.pingBytes, at: now)
      note(.ping, generation, now, from: before)
      live.connection.ping(ordinal, completion(of: ordinal, live.link))
    case .close(let generation):
      guard let live = connection(of: generation), let cause = machine.cause else { return }
      if cause == .userClosed {
        live.connection.close(live.closeCode)
      } else {
        // The peer is not heard: a closing handshake could not end.
        live.link.tap?.closeSent(by: .machine, at: now)
        live.connection.cancel()
      }
      end(live, .close(cause), now, before)
    case .ended(let generation):
      guard let live = connection(of: generation), let cause = machine.cause else { return }
      // After the peer's close frame the transport answers it and ends by itself.
      if cause != .peerClosed { live.connection.cancel() }
      end(live, .ended(cause), now, before)
    }
  }

  /// The connection that there is, if it is of that generation.
  private func connection(of generation: Int) -> Live? {
    guard let live, live.link.generation == generation else { return nil }
    return live
  }

  /// Closes the connection because the app, or a limit of its, asks for it.
  func closeByUser(_ code: WebSocketCloseCode, at now: TapInstant) {
    guard machine.phase != .idle, let live else { return }
    self.live?.closeCode = code
    live.link.tap?.closeSent(code: machine.phase == .open ? code.number : nil, by: .user, at: now)
    give(.userClose(live.link.generation), as: .userClose, of: live.link.generation, at: now)
  }

  private func end(
    _ ended: Live, _ entry: HeartbeatLog.Event, _ now: TapInstant, _ before: Heartbeat.Phase
  ) {
    let generation = ended.link.generation
    // The ping whose completion never came is completed here, so that each one is.
    if live?.awaited != nil { note(.pinged(.cancelled), generation, now, from: before) }
    live = nil
    note(entry, generation, now, from: before)
    for (number, send) in sends where send.generation == generation { finishSend(number, .ended) }
    tell(
      .ended(
        HeartbeatEnd(
          generation: generation, cause: machine.cause ?? .error, code: machine.code,
          refusal: ended.refusal)))
  }

  /// Lets only the first call of a ping's completion through.
  private func completion(
    of ordinal: Int, _ link: HeartbeatLink
  ) -> @Sendable (WebSocketPingCompletion) -> Void {
    let (mailbox, ticket) = (mailbox, PingTicket())
    return { [weak self] completion in
      let content: HeartbeatMailbox.Content =
        ticket.take() ? .pinged(ordinal: ordinal, completion) : .repeatedCompletion
      if mailbox.put(content, for: link) { Task { [weak self] in await self?.takeMail() } }
    }
  }

  /// Tells the app; false if there was no room.
  @discardableResult
  func tell(_ event: HeartbeatEvent) -> Bool { queue.put(event) }

  /// Writes the app's state to the tap.
  func tell(_ change: AppChange, at now: TapInstant) { appTap?.app(change, at: now) }
}

// MARK: - The timer

extension HeartbeatDriver {
  /// Sends the machine a tick that is due already, and sets the timer for the next.
  ///
  /// So a timer that the system has held back, or lost, is made good with whatever comes first.
  func settle(_ now: TapInstant) {
    if let wakeup = machine.wakeup, now.microseconds >= wakeup { tick(at: now) }
    let alarm = machine.wakeup.map { Alarm(generation: machine.generation, instant: $0) }
    guard alarm != armed else { return }
    timer?.cancel()
    timer = nil
    armed = alarm
    guard let alarm else { return }
    let clock = clock
    timer = Task { [weak self] in
      do { try await clock.sleep(until: TapInstant(microseconds: alarm.instant)) } catch { return }
      await self?.timerFired(for: alarm.generation)
    }
  }

  /// The timer that was set for a generation has fired; late, twice or too early, it does no harm.
  func timerFired(for generation: Int) {
    takeMail()
    guard generation == machine.generation else { return }
    let now = instant()
    armed = nil
    tick(at: now)
    settle(now)
  }
}
