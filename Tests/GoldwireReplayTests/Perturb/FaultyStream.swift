import GoldwireMachines

/// An event stream with one fault, as clients in the field have them.
struct FaultyStream: Machine {
  enum Fault: CaseIterable, Sendable {
    case commitsBeforeHandler, carriedIDs, noGenerationCheck, noDeduplication, earlyConnect
  }

  private let fault: Fault?
  private var inner: EventStream
  private var carried: Int?
  private var renumbered = 0

  init(_ fault: Fault?, _ parameters: EventStream.Parameters) {
    (self.fault, inner) = (fault, EventStream(parameters))
  }

  /// Without deduplication every event has content of its own.
  static func parameters(_ fault: Fault?) throws -> EventStream.Parameters {
    try .init(unit: .milliseconds, dedup: fault == .noDeduplication ? .idAndContent : .id)
  }

  var wakeup: Int? {
    fault == .earlyConnect && inner.phase == .waiting ? inner.wakeup.map { $0 - 1 } : inner.wakeup
  }

  mutating func handle(_ event: EventStream.Event, at now: Int, emit: (EventStream.Action) -> Void) {
    var event = event
    switch (fault, event) {
    case (.commitsBeforeHandler, .event(let generation, let block)):
      if let id = block.id, generation == inner.generation, inner.phase == .open { emit(.commit(cursor: id)) }
    case (.carriedIDs, .event(let generation, var block)):
      carried = block.id ?? carried
      block.id = carried
      event = .event(generation, block)
    case (.noGenerationCheck, .event(_, let block)): event = .event(inner.generation, block)
    case (.noGenerationCheck, .cut): event = .cut(inner.generation)
    case (.noDeduplication, .event(let generation, var block)):
      renumbered += 1
      block.revision = renumbered
      event = .event(generation, block)
    default: break
    }
    inner.handle(event, at: now, emit: emit)
  }

  mutating func tick(at now: Int, emit: (EventStream.Action) -> Void) {
    inner.tick(at: fault == .earlyConnect && inner.phase == .waiting ? max(now, now &+ 1) : now, emit: emit)
  }
}
