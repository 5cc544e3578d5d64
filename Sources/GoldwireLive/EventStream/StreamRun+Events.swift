internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

/// What stands in a piece of the body, one thing after the other.
extension StreamRun {
  /// Takes a piece; stops where the connection is over, and drops the rest, which comes again.
  mutating func read(_ piece: [UInt8]) async throws {
    var offset = 0
    while machine.phase == .open, let item = parser.next(piece.span, at: &offset) {
      let generation = machine.generation
      switch item {
      case .event: try await take()
      case .id: try await takeID()
      case .comment:
        step { run, now in
          run.connection?.comment(at: now)
          run.machine.handle(.comment(generation), at: now.microseconds) { _ in }
        }
      case .retry(let milliseconds):
        step { run, now in
          run.connection?.retry(milliseconds: milliseconds, at: now)
          run.machine.handle(.retry(generation, milliseconds: milliseconds), at: now.microseconds) { _ in }
        }
      }
      try check()
    }
  }

  /// A block with an id and no data: all before it is done, so the cursor moves to it.
  private mutating func takeID() async throws {
    let id = parser.lastEventID
    try await reader.store.move(to: id)
    let number = number(of: id)
    step { run, now in
      run.connection?.id(number, at: now)
      run.tell(.id(run.machine.generation, number), now)
    }
    cursor = id
  }

  /// An event: the machine says whether it is handled.
  private mutating func take() async throws {
    n += 1
    var block = EventStream.Block(n: n)
    if parser.hasID {
      let number = number(of: parser.id)
      block.id = number
      block.revision = ids.revision(of: number, digest: parser.contentDigest)
    }
    let bytes = parser.dataCount
    var verdict = Verdict()
    step { run, now in
      run.connection?.event(block, bytes: bytes, at: now)
      for action in run.tell(.event(run.machine.generation, block), now) { verdict.take(action) }
    }
    if verdict.isSkipped {
      // The window knows the effect; where it stands in the stream is kept all the same.
      try await reader.store.move(to: parser.lastEventID)
      cursor = parser.lastEventID
      log(block, verdict.isConflict ? .conflict : .known)
    } else if verdict.isDelivered {
      try await handle(block)
    }
  }

  /// Runs the handler, and tells the machine how it ended.
  private mutating func handle(_ block: EventStream.Block) async throws {
    let generation = machine.generation
    let event = StreamEvent(
      lastEventID: parser.lastEventIDText, hasID: parser.hasID, type: parser.typeText, bytes: parser.data,
      isCut: parser.isCut)
    let after = parser.lastEventID
    let isIdentified = parser.hasID && !parser.id.isEmpty
    let effect = StoredEffect(
      id: isIdentified ? parser.id : nil, content: parser.contentDigest, cursor: after,
      isToldByContent: machine.parameters.dedup == .idAndContent)
    let result = try await result(of: event, effect)
    let succeeded = result != .failed
    step { run, now in
      run.connection?.handled(n: block.n, succeeded: succeeded, at: now)
      run.tell(.handled(generation, n: block.n, succeeded: succeeded), now)
      if !succeeded { run.connection?.cut(.local, .out, partial: run.parser.partialBytes, at: now) }
    }
    if succeeded { cursor = after }
    log(block, result)
  }

  /// What came of the handler and of its transaction; throws only where the reader is not wanted any more.
  private func result(of event: StreamEvent, _ effect: StoredEffect) async throws -> StreamRecord.Result {
    let (reader, session) = (reader, session)
    do {
      let outcome = try await reader.store.handle(effect) { transaction in
        try await reader.handler(event, transaction)
        // What belongs to a session that is over is not kept.
        guard reader.gate.session == session else { throw StaleSession() }
      }
      return switch outcome {
      case .handled: .handled
      case .known(let isConflict): isConflict ? .conflict : .known
      }
    } catch {
      try check()
      return .failed
    }
  }
}

// MARK: - Small things

extension StreamRun {
  /// What the machine says of an event.
  private struct Verdict {
    var isDelivered = false
    var isSkipped = false
    var isConflict = false

    mutating func take(_ action: EventStream.Action) {
      switch action {
      case .deliver: isDelivered = true
      case .skip: isSkipped = true
      case .note(.conflict): isConflict = true
      case .connect, .commit, .stop, .note: break
      }
    }
  }

  /// Tells the machine, and the tap what it decided.
  @discardableResult
  private mutating func tell(_ event: EventStream.Event, _ now: TapInstant) -> [EventStream.Action] {
    var actions: [EventStream.Action] = []
    machine.handle(event, at: now.microseconds) { actions.append($0) }
    for action in actions { note(action, now) }
    return actions
  }

  /// Tells the tap what the machine decided, where a trace has a line for it.
  private func note(_ action: EventStream.Action, _ now: TapInstant) {
    switch action {
    case .commit(let cursor): stream?.commit(cursor: cursor, at: now)
    case .note(.conflict): connection?.note(.conflict, at: now)
    case .connect, .deliver, .skip, .stop, .note: break
    }
  }

  /// The number of an id; says once that the oldest are forgotten from now on.
  private mutating func number(of id: [UInt8]) -> Int {
    let number = ids.number(of: id)
    if ids.forgotten > 0, !hasForgotten {
      hasForgotten = true
      connection?.note(.idForgot, at: reader.clock.now)
    }
    return number
  }

  private func log(_ block: EventStream.Block, _ result: StreamRecord.Result) {
    reader.log?(
      StreamRecord(
        generation: machine.generation, n: block.n, event: block.id, result: result,
        cursor: machine.committed))
  }
}
