internal import GoldwireMachines

/// One world that explains a recorded stream: what a connection at any instant would meet, and what it would deliver.
struct StreamWorld {
  /// An event of the server's, at the instant from which it is there.
  struct Entry {
    var at: Int
    var item: RecordedStream.Item
    /// The id by which a server takes up a stream; nil where it has none, so that it is heard live or not at all.
    var id: Int?
    /// What its handler came to, each time that it was delivered.
    var handlings: [Handling] = []
  }

  /// One run of an event's handler.
  struct Handling {
    /// When the event came.
    var at: Int
    /// How long the handler took.
    var span: Int
    var succeeded: Bool
  }

  /// What a request meets.
  struct Meeting {
    /// The answer or the cut, and when it comes.
    var item: RecordedStream.Item
    var at: Int
    var grade: Grade
  }

  /// When something came about of which only a span is known.
  enum Instant {
    /// As early as it may be, or as late.
    case early, late
    /// When it is likeliest.
    case likely
  }

  let stream: RecordedStream
  /// When the server is back.
  let back: Instant
  /// What the server had to say, in order.
  let log: [Entry]
  /// How many events up to the cursor the server sent again to readers that came back with one, fewest first; all for
  /// the largest number that there is.
  let again: [Int]
  /// When connections were cut from outside, in order.
  let cuts: [RecordedStream.Item]

  /// The handlings of each event with an id.
  private let handled: [EffectWindow.Effect: [Handling]]
  /// How long a request usually takes to be answered, and what is more than that by chance.
  private let usual: Int
  private let slack: Int
  /// The silence after which the reader gives up; nil for none.
  private let patience: Int?

  /// `second` is the length of a second in the trace's unit, `patience` the silence after which the reader gives up.
  ///
  /// `known` is when the server had what it said right after a reconnection.
  init(_ stream: RecordedStream, back: Instant, known: Instant, second: Int, patience: Int?) {
    self.stream = stream
    self.back = back
    self.patience = patience
    usual = stream.connections.filter(\.isOpen).map(\.wait).min() ?? 0
    slack = second / 5
    cuts = stream.connections.filter(\.isOpen).compactMap(\.cut)
    log = Self.log(stream, known, second)
    again = Self.again(stream, log)
    handled = Dictionary(
      log.compactMap { entry in entry.item.effect.map { ($0, entry.handlings) } },
      uniquingKeysWith: { one, _ in one })
  }

  private static func again(_ stream: RecordedStream, _ log: [Entry]) -> [Int] {
    var (places, ids): ([EffectWindow.Effect: Int], [Int: Int]) = ([:], [:])
    for (place, entry) in log.enumerated() {
      if let effect = entry.item.effect { (places[effect], ids[effect.id]) = (place, place) }
    }
    var counts: Set<Int> = []
    for connection in stream.connections where connection.isOpen && !connection.items.isEmpty {
      guard let cursor = connection.cursor.flatMap({ ids[$0] }) else { continue }
      let first = connection.items.compactMap { $0.effect.flatMap { places[$0] } }.min() ?? .max
      let count = first > cursor ? 0 : cursor - first + 1
      counts.insert(first == 0 && count > 1 ? .max : count)
    }
    return counts.sorted()
  }

  /// The server's own events in the order in which they were heard first.
  ///
  /// What comes within a second of a reconnection may have been there since the cut before it.
  private static func log(_ stream: RecordedStream, _ known: Instant, _ second: Int) -> [Entry] {
    var log: [Entry] = []
    var seen: [EffectWindow.Effect: Int] = [:]
    var lastCut: Int?
    for (place, connection) in stream.connections.enumerated() where connection.isOpen {
      let open = connection.answer?.t ?? connection.connect
      // A server that was away, or a path that was silent, may have said all of it only when it was back.
      let wasCut = place == 0 ? nil : stream.connections[place - 1].cutWhileOpen
      let first = log.count
      let heard = log.last?.item.t ?? open
      for item in connection.items {
        var entry = Entry(at: item.t, item: item)
        if let handled = item.handled {
          entry.handlings = [.init(at: item.t, span: handled.t - item.t, succeeded: handled.succeeded)]
        }
        if let effect = item.effect {
          if let place = seen[effect] {
            log[place].handlings += entry.handlings
            continue
          }
          seen[effect] = log.count
          entry.id = effect.id
          if let lastCut, known == .early, item.t - open < second { entry.at = min(entry.at, lastCut) }
        }
        log.append(entry)
      }
      if known == .likely, let cut = wasCut { spread(&log, from: first, heard, cut, open, second / 5) }
      lastCut = connection.cut?.t ?? connection.items.last?.t ?? open
    }
    return log
  }

  /// Says of the events right after a reconnection that they came up evenly since the last one that was heard.
  private static func spread(
    _ log: inout [Entry], from first: Int, _ heard: Int, _ cut: Int, _ open: Int, _ soon: Int
  ) {
    let end = log[first...].firstIndex { $0.id == nil || $0.item.t - open >= soon } ?? log.count
    guard end > first else { return }
    let next = end < log.count ? log[end].item.t : open
    let parts = end - first + 1
    for place in first..<end {
      let even = heard + (next - heard) / parts * (place - first + 1)
      log[place].at = min(log[place].item.t, max(cut, even))
    }
  }

  /// What the handler of an event comes to that the recorded reader left out; nothing of others, whose handlers' ends are
  /// recorded themselves.
  func handlings(of item: RecordedStream.Item, on connection: Int) -> [Handling] {
    guard let n = item.event.number, stream.leftOut[connection]?.contains(n) == true, item.handled == nil,
      let effect = item.effect
    else { return [] }
    return handled[effect] ?? []
  }

  /// What a request at an instant meets; nil where the recording cannot tell.
  func meets(_ instant: Int) -> Meeting? {
    let connections = stream.connections
    guard let place = connections.lastIndex(where: { $0.connect <= instant }) else { return nil }
    let before = connections[place]
    if before.isOpen, instant < before.cut?.t ?? .max {
      let silence = before.silence(around: instant, longerThan: patience) ?? unended(place, instant)
      return meeting(place, instant, .interpolated, over: silence)
    }
    guard let next = connections[(place + 1)...].first(where: { $0.answer != nil || $0.cut != nil }) else {
      // Beyond the last recorded attempt nothing is known; one that failed at this very instant fails again.
      return before.connect == instant ? meeting(place, instant, .interpolated) : nil
    }
    if next.isOpen {
      guard let index = connections.firstIndex(where: { $0.number == next.number }) else { return nil }
      let isBack: Bool =
        switch back {
        case .early: true
        case .late: false
        case .likely: isLikelyBack(instant, place, next)
        }
      if isBack { return meeting(index, instant, .assumed) }
      return failure(near: place, instant)
    }
    guard let index = connections.firstIndex(where: { $0.number == next.number }) else { return nil }
    return meeting(index, instant, .interpolated)
  }

  /// When the first answer came after a silence that the recorded reader gave up, if it is so long; nil of others.
  private func unended(_ place: Int, _ instant: Int) -> Int? {
    let connection = stream.connections[place]
    guard let patience, connection.cut == nil, !connection.items.contains(where: { $0.t > instant }),
      let next = stream.connections[(place + 1)...].first(where: \.isOpen)?.answer?.t
    else { return nil }
    let last = connection.items.last?.t ?? connection.answer?.t ?? connection.connect
    return next - last >= patience ? next : nil
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
    return Meeting(item: item, at: back == .early ? free : max(free, end), grade: min(grade, .assumed))
  }

  /// Whether a server that answered at `next` is likelier there at an instant before than not.
  ///
  /// One that answered the first request after a cut was there whenever it was asked; between a request that failed and
  /// one that did not, the middle is the guess that is wrong least often.
  private func isLikelyBack(_ instant: Int, _ place: Int, _ next: RecordedStream.Connection) -> Bool {
    if stream.connections[place].isOpen { return true }
    let failed = stream.connections[place].connect
    return instant - failed >= (next.connect - failed) / 2
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
  /// When it was cut from outside, having been open.
  fileprivate var cutWhileOpen: Int? { isOpen ? cut?.t : nil }

  /// How long its request waited for the answer, or for the cut.
  fileprivate var wait: Int { max(0, ((answer ?? cut)?.t ?? connect) - connect) }

  /// When the silence around an instant was over, if it was so long; nil where nothing came after it.
  fileprivate func silence(around instant: Int, longerThan patience: Int?) -> Int? {
    guard let patience, let next = items.first(where: { $0.t > instant })?.t else { return nil }
    let last = items.last { $0.t <= instant }?.t ?? answer?.t ?? connect
    return next - last >= patience ? next : nil
  }
}
