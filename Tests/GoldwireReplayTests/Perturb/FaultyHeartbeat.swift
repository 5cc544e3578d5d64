import GoldwireMachines

/// A heartbeat with one fault, as clients in the field have them.
struct FaultyHeartbeat: Machine {
  enum Fault: CaseIterable, Sendable {
    case noGenerationCheck, pongAtDeadline, secondClose, secondPing, earlyClose
  }

  private let fault: Fault?
  private var inner: Heartbeat
  private var closed: Int?

  init(_ fault: Fault?, _ parameters: Heartbeat.Parameters) {
    (self.fault, inner) = (fault, Heartbeat(parameters))
  }

  var wakeup: Int? {
    switch fault {
    case .secondPing where inner.isAwaitingPong: inner.wakeup.map { $0 - inner.timeout / 2 }
    case .earlyClose where inner.isAwaitingPong: inner.wakeup.map { $0 - 1 }
    default: inner.wakeup
    }
  }

  mutating func handle(_ event: Heartbeat.Event, at now: Int, emit: (Heartbeat.Action) -> Void) {
    var (event, instant) = (event, now)
    switch (fault, event) {
    case (.noGenerationCheck, .opened): event = .opened(inner.generation)
    case (.noGenerationCheck, .pong(_, let id)): event = .pong(inner.generation, id: id)
    case (.noGenerationCheck, .ended(_, let cause, let code)):
      event = .ended(inner.generation, cause, code: code)
    case (.pongAtDeadline, .pong) where inner.wakeup == now: instant = now - 1
    case (.secondClose, .ended(let number, _, _)) where number == closed: return emit(.close(number))
    default: break
    }
    inner.handle(event, at: instant, emit: emit)
  }

  mutating func tick(at now: Int, emit: (Heartbeat.Action) -> Void) {
    if fault == .secondPing, inner.isAwaitingPong { return emit(.ping(inner.generation)) }
    let instant = fault == .earlyClose && inner.isAwaitingPong ? max(now, now &+ 1) : now
    inner.tick(at: instant) { action in
      if case .close(let number) = action { closed = number }
      emit(action)
    }
  }
}
