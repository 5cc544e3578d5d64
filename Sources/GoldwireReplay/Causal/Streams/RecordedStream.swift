internal import GoldwireMachines
internal import GoldwireTrace

/// What a trace tells of one event stream over its reconnections.
struct RecordedStream {
  /// Something that came on a connection.
  struct Item {
    var t: Int
    var event: EventStream.Event
    var line: Int
    /// When its handler ended, and how; nil where that was not seen.
    var handled: (t: Int, succeeded: Bool, line: Int)?

    /// What identifies the event; nil of what is none, or has no id of its own.
    var effect: EffectWindow.Effect? {
      guard case .event(_, let block) = event, let id = block.id, id != 0 else { return nil }
      return .init(id: id, revision: block.revision)
    }
  }

  /// One connection, or one attempt to make it.
  struct Connection {
    var number: Int
    /// When it was asked for, and when the recorded client's machine wanted to.
    var connect: Int
    var due: Int
    var line: Int
    var cursor: Int?
    /// The answer to the request.
    var answer: Item?
    var items: [Item] = []
    /// When it was cut from outside.
    var cut: Item?

    /// Whether it delivered, or could have.
    var isOpen: Bool {
      guard case .answered(_, let answer, let isEventStream)? = answer?.event else { return false }
      return answer.status == 200 && isEventStream
    }
  }

  let channel: Channel
  var connections: [Connection] = []
  /// The reader's cancellation, which is kept at its instant.
  var cancel: Item?
  var actions: [ReplayedAction] = []
  /// The events that the recorded client left out, by their numbers in each connection.
  var leftOut: [Int: Set<Int>] = [:]
  var hasHole = false
}

extension EventStream.Event {
  /// The connection that it is of; nil for the reader's own.
  var connection: Int? {
    switch self {
    case .connect(let number, _), .answered(let number, _, _), .event(let number, _), .id(let number, _),
      .comment(let number), .retry(let number, _), .handled(let number, _, _), .cut(let number):
      number
    case .cancel: nil
    }
  }

  /// The number of an event in its connection.
  var number: Int? { if case .event(_, let block) = self { block.n } else { nil } }

  /// The same on another connection, as the event of that number there.
  func moved(to connection: Int, n: Int) -> EventStream.Event {
    switch self {
    case .answered(_, let answer, let isEventStream):
      .answered(connection, answer, isEventStream: isEventStream)
    case .event(_, let block): .event(connection, .init(n: n, id: block.id, revision: block.revision))
    case .id(_, let id): .id(connection, id)
    case .comment: .comment(connection)
    case .retry(_, let milliseconds): .retry(connection, milliseconds: milliseconds)
    case .handled(_, _, let succeeded): .handled(connection, n: n, succeeded: succeeded)
    case .cut: .cut(connection)
    case .connect(_, let cursor): .connect(connection, cursor: cursor)
    case .cancel: .cancel
    }
  }
}
