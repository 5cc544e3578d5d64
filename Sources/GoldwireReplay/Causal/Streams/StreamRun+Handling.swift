internal import GoldwireMachines

/// What the handlers of delivered events come to.
extension StreamRun {
  /// What identifies an event that is delivered: its id and content, or its line where it has no id of its own.
  enum Delivered: Hashable {
    case effect(EffectWindow.Effect)
    case line(Int)
  }

  /// An event's number in its connection.
  struct Place: Hashable {
    var connection: Int
    var n: Int
  }

  /// Remembers what an event is that comes, and what a handler that ends came to.
  mutating func note(_ arrival: Arrival) {
    switch arrival.event {
    case .event(let connection, let block):
      last = (block.n, block.id)
      let event = block.id.flatMap { $0 == 0 ? nil : EffectWindow.Effect(id: $0, revision: block.revision) }
      known[Place(connection: connection, n: block.n)] = (
        event.map(Delivered.effect) ?? .line(arrival.line), arrival.handlings
      )
    case .handled(let connection, let n, false): fail(Place(connection: connection, n: n))
    default: break
    }
  }

  /// The handler of an event that is delivered begins; where its end is not recorded by itself, it is like the recorded
  /// ones of that event.
  ///
  /// A handler that failed may have failed for its number or for its time: where both readings differ, no more is known.
  mutating func handle(_ place: Place, at t: Int) {
    guard let (event, handlings) = known[place] else { return }
    let count = deliveries[event, default: 0]
    deliveries[event] = count + 1
    guard let first = handlings.first, let end = handlings.last else { return }
    let byNumber = count < handlings.count ? handlings[count] : end
    let byTime = handlings.last { $0.at <= t } ?? first
    let isUnknown = count >= handlings.count && !end.succeeded
    if isUnknown || byNumber.succeeded != byTime.succeeded { grade = min(grade, .assumed) }
    let handling = world.back == .early ? byTime : byNumber
    let ended = EventStream.Event.handled(place.connection, n: place.n, succeeded: handling.succeeded)
    if handling.span == 0 {
      ending.append(ended)
    } else {
      insert(Arrival(at: AnswerClock.sum(t, handling.span), event: ended, line: lines.first ?? 0))
    }
    if !handling.succeeded { fail(place) }
  }

  mutating func fail(_ place: Place) {
    if let index = delivered[place] { steps[index].isFailed = true }
  }
}
