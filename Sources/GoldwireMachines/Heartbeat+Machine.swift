extension Heartbeat: Machine {
  /// Takes one event; emits at most one action.
  @inlinable
  public mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    let action: Action?
    switch event {
    case .connect(let generation): action = connect(as: generation, now: now)
    case .resume(let generation, let pingID):
      resume(generation, pingID: pingID, now: now)
      action = nil
    case .opened(let generation):
      opened(generation, now: now)
      action = nil
    case .pong(let generation, let id):
      pong(generation, id: id, now: now)
      action = nil
    case .pinged(let generation, let id, let result):
      action = pinged(generation, id: id, result: result, now: now)
    case .inbound(let generation):
      inbound(generation, now: now)
      action = nil
    case .ended(let generation, let cause, let code):
      action = ended(generation, cause: cause, code: code)
    case .userClose(let generation): action = userClose(generation)
    case .background:
      background()
      action = nil
    case .foreground: action = foreground(now: now)
    case .network(let available): action = network(available: available, now: now)
    }
    if let action { emit(action) }
  }

  /// Lets the machine act on the passing of time; emits at most one action.
  @inlinable
  public mutating func tick(at now: Int, emit: (Action) -> Void) {
    if let action = tick(now: now) { emit(action) }
  }
}
