import GoldwireMachines

/// What the laws of a heartbeat are asked of: the machine, and copies of it with a flaw.
protocol HeartbeatLike: Machine, Equatable
where Event == Heartbeat.Event, Action == Heartbeat.Action {}

extension Heartbeat: HeartbeatLike {}

/// A plain copy of the heartbeat's core with one flaw, which the laws must find.
struct CopiedHeartbeat: HeartbeatLike {
  enum Flaw: CaseIterable, Sendable {
    case noGenerationCheck, inclusiveDeadline, secondPing, closesTwice, keepsFlag, earlyPing, lateClose
  }

  let flaw: Flaw?
  let interval: Int
  let timeout: Int
  var generation = 0
  var phase = Heartbeat.Phase.idle
  var nextPing = 0
  var deadline: Int?

  init(_ flaw: Flaw?, interval: Int, timeout: Int) {
    self.flaw = flaw
    self.interval = interval
    self.timeout = timeout
  }

  var wakeup: Int? { phase == .open ? deadline ?? nextPing : nil }

  private func isCurrent(_ id: Int) -> Bool { flaw == .noGenerationCheck || id == generation }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    switch event {
    case .connect(let id):
      guard id > generation else { return }
      if phase != .idle { emit(.ended(generation)) }
      generation = id
      phase = .connecting
      if flaw != .keepsFlag { deadline = nil }
    case .opened(let id):
      guard isCurrent(id), phase == .connecting else { return }
      phase = .open
      nextPing = now + interval
    case .pong(let id, _):
      guard isCurrent(id), phase == .open, let limit = deadline else { return }
      guard now < limit || (flaw == .inclusiveDeadline && now <= limit) else { return }
      deadline = nil
      nextPing = now + interval
    case .ended(let id, _, _):
      guard isCurrent(id), phase != .idle else { return }
      phase = .idle
      deadline = nil
      emit(.ended(generation))
    case .userClose(let id):
      guard isCurrent(id), phase != .idle else { return }
      phase = .idle
      deadline = nil
      emit(.close(generation))
    case .resume, .pinged, .inbound, .background, .foreground, .network: break
    }
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    guard phase == .open else { return }
    if let limit = deadline {
      if flaw == .secondPing, now >= nextPing {
        nextPing = now + interval
        return emit(.ping(generation))
      }
      guard now >= limit + (flaw == .lateClose ? 1 : 0) else { return }
      if flaw != .closesTwice {
        phase = .idle
        deadline = nil
      }
      return emit(.close(generation))
    }
    guard now >= nextPing - (flaw == .earlyPing ? 1 : 0) else { return }
    deadline = now + timeout
    nextPing = now + interval
    emit(.ping(generation))
  }
}
