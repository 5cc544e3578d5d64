internal import GoldwireMachines

/// One world that explains a recorded stream: what a connection at any instant would meet, and what it would deliver.
struct StreamWorld {
  /// An event of the server's, at the instant from which it is there.
  struct Entry {
    var at: Int
    var item: RecordedStream.Item
    /// The id by which a server takes up a stream; nil where it has none, so that it is heard live or not at all.
    var id: Int?
    /// How long its handler took, and how it ended.
    var handler: (span: Int, succeeded: Bool)?
  }

  /// What a request meets.
  struct Meeting {
    /// The answer or the cut, and when it comes.
    var item: RecordedStream.Item
    var at: Int
    var grade: Grade
  }

  let stream: RecordedStream
  /// Whether the server is back as early as it may be.
  let isEarly: Bool
  /// What the server had to say, in order.
  let log: [Entry]
  /// When connections were cut from outside, in order.
  let cuts: [RecordedStream.Item]

  /// How long a request usually takes to be answered, and what is more than that by chance.
  private let usual: Int
  private let slack: Int
  /// The silence after which the reader gives up; nil for none.
  private let patience: Int?

  /// `second` is the length of a second in the trace's unit, `patience` the silence after which the reader gives up.
  init(_ stream: RecordedStream, isEarly: Bool, isKnownEarly: Bool, second: Int, patience: Int?) {
    self.stream = stream
    self.isEarly = isEarly
    self.patience = patience
    usual = stream.connections.filter(\.isOpen).map(\.wait).min() ?? 0
    slack = second / 5
    cuts = stream.connections.filter(\.isOpen).compactMap(\.cut)
    log = Self.log(stream, isKnownEarly, second)
  }

  /// The server's own events in the order in which they were heard first.
  ///
  /// What comes within a second of a reconnection may have been there since the cut before it.
  private static func log(_ stream: RecordedStream, _ isKnownEarly: Bool, _ second: Int) -> [Entry] {
    var log: [Entry] = []
    var seen: Set<EffectWindow.Effect> = []
    var lastCut: Int?
    for connection in stream.connections where connection.isOpen {
      let open = connection.answer?.t ?? connection.connect
      for item in connection.items {
        var entry = Entry(at: item.t, item: item)
        if case .event(_, let block) = item.event, let id = block.id, id != 0 {
          guard seen.insert(.init(id: id, revision: block.revision)).inserted else { continue }
          entry.id = id
          if let lastCut, isKnownEarly, item.t - open < second { entry.at = min(entry.at, lastCut) }
        }
        if let handled = item.handled { entry.handler = (handled.t - item.t, handled.succeeded) }
        log.append(entry)
      }
      lastCut = connection.cut?.t ?? connection.items.last?.t ?? open
    }
    return log
  }

  /// What a request at an instant meets; nil where the recording cannot tell.
  func meets(_ instant: Int) -> Meeting? {
    let connections = stream.connections
    guard let place = connections.lastIndex(where: { $0.connect <= instant }) else { return nil }
    let before = connections[place]
    if before.isOpen, instant < before.cut?.t ?? .max {
      return meeting(
        place, instant, .interpolated, over: before.silence(around: instant, longerThan: patience))
    }
    guard let next = connections[(place + 1)...].first(where: { $0.answer != nil || $0.cut != nil }) else {
      // Beyond the last recorded attempt nothing is known; one that failed at this very instant fails again.
      return before.connect == instant ? meeting(place, instant, .interpolated) : nil
    }
    if next.isOpen {
      guard let index = connections.firstIndex(where: { $0.number == next.number }) else { return nil }
      if isEarly { return meeting(index, instant, .assumed) }
      return failure(near: place, instant)
    }
    guard let index = connections.firstIndex(where: { $0.number == next.number }) else { return nil }
    return meeting(index, instant, .interpolated)
  }

  /// What the request of a connection met, met at another instant.
  ///
  /// An answer that was held, or a connection that was silent until `over`, speaks for the server or for the path: a
  /// request before the end either meets nothing of it, or waits for the same end.
  private func meeting(_ place: Int, _ instant: Int, _ grade: Grade, over: Int? = nil) -> Meeting? {
    let connection = stream.connections[place]
    guard let item = connection.answer ?? connection.cut else { return nil }
    let wait = connection.wait
    guard connection.isOpen, over != nil || wait > usual + slack else {
      return Meeting(item: item, at: AnswerClock.sum(instant, wait), grade: grade)
    }
    let (free, end) = (AnswerClock.sum(instant, usual), over ?? item.t)
    if instant >= end { return Meeting(item: item, at: free, grade: grade) }
    return Meeting(item: item, at: isEarly ? free : max(free, end), grade: min(grade, .assumed))
  }

  /// Nobody answers yet: as the last one that failed, or at once.
  private func failure(near place: Int, _ instant: Int) -> Meeting? {
    let connection = stream.connections[place]
    guard let cut = connection.cut else { return nil }
    let span = connection.isOpen ? 0 : max(0, cut.t - connection.connect)
    return Meeting(item: cut, at: AnswerClock.sum(instant, span), grade: .assumed)
  }
}

extension RecordedStream.Connection {
  /// How long its request waited for the answer, or for the cut.
  fileprivate var wait: Int { max(0, ((answer ?? cut)?.t ?? connect) - connect) }

  /// When the silence around an instant was over, if it was so long; nil where nothing came after it.
  fileprivate func silence(around instant: Int, longerThan patience: Int?) -> Int? {
    guard let patience, let next = items.first(where: { $0.t > instant })?.t else { return nil }
    let last = items.last { $0.t <= instant }?.t ?? answer?.t ?? connect
    return next - last >= patience ? next : nil
  }
}
