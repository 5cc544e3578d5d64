public import GoldwireTrace

/// What makes a flight recorder write what it keeps.
public enum FlightTrigger: Hashable, Sendable {
  /// The client closed a WebSocket by itself: no pong in time, no handshake in time, stale on the return to the foreground.
  case closedByMachine
  /// The peer closed a WebSocket, with a code in this range or, for nil, with any or none.
  case closedByPeer(ClosedRange<Int>? = nil)
  /// A WebSocket connection ended in this way.
  case ended(EndCause)
  /// A WebSocket was not accepted.
  case refused
  /// A ping failed.
  case pingFailed
  /// A logical request came to this outcome.
  case stopped(StopReason)
  /// A response had a status in this range.
  case status(ClosedRange<Int>)
  /// The handler of an event failed.
  case handlerFailed
  /// An event stream was cut in this way.
  case cut(CutCause)
  /// Events were lost, since the ring was full.
  case lost

  /// Whether an event fires the trigger.
  func isFired(by event: TraceEvent) -> Bool {
    switch (self, event) {
    case (.closedByMachine, .wsClose(.out, _, .machine)), (.refused, .wsRefused): true
    case (.closedByPeer(let range), .wsClose(.in, let code, _)):
      range.map { range in code.map(range.contains) ?? false } ?? true
    case (.ended(let cause), .wsEnd(let other, _)): cause == other
    case (.pingFailed, .wsPinged(_, let result, _)): result != .ok
    case (.stopped(let why), .httpStop(_, let other)): why == other
    case (.status(let range), .httpResponse(let response)): response.status.map(range.contains) ?? false
    case (.status(let range), .sseOpen(let status, _, _)), (.status(let range), .wsRefused(_, let status, _)):
      status.map(range.contains) ?? false
    case (.handlerFailed, .sseHandled(_, false)): true
    case (.cut(let cause), .sseCut(let other, _, _)): cause == other
    case (.lost, .recGap): true
    default: false
    }
  }
}
