internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// What an event stream has sent, told to the log as a reader of the stream would see it.
final class StreamTally: Sendable {
  private struct State {
    var parser = EventStreamParser(keepsData: true)
    var events = 0
    var isOver = false
  }

  private let log: ServerLog
  private let place: ServerLog.Place
  private let state = Guarded(State())

  /// A stream that has not begun.
  init(_ log: ServerLog, _ place: ServerLog.Place) {
    self.log = log
    self.place = place
  }

  /// The answer was no stream, so that there is nothing to tell.
  func refuse() { state.withLock { $0.isOver = true } }

  /// Bytes of the stream were sent.
  func add(_ bytes: [UInt8], at instant: TapInstant) {
    state.withLock { state in
      guard !state.isOver else { return }
      var offset = 0
      while let item = state.parser.next(bytes.span, at: &offset) {
        log.add(event(item, &state), place, at: instant)
      }
    }
  }

  private func event(_ item: EventStreamParser.Item, _ state: inout State) -> TraceEvent {
    switch item {
    case .comment: return .sseComment
    case .retry(let milliseconds): return .sseRetry(ms: milliseconds)
    case .id: return .sseID(id: log.number(of: state.parser.id, in: place))
    case .event:
      state.events += 1
      let bytes = state.parser.dataCount
      guard state.parser.hasID else { return .sseEvent(n: state.events, id: nil, rev: 1, bytes: bytes) }
      let found = log.identify(state.parser.id, content: state.parser.contentDigest, in: place)
      return .sseEvent(n: state.events, id: found.id, rev: found.revision, bytes: bytes)
    }
  }

  /// The stream ended; told once.
  func end(_ cause: CutCause, _ direction: Direction, at instant: TapInstant) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      log.add(.sseCut(cause: cause, dir: direction, partial: state.parser.partialBytes), place, at: instant)
    }
  }
}
