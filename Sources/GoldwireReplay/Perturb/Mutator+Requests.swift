internal import GoldwireTrace

/// Changes of logical requests.
extension Mutator {
  /// A request's latest answer: its place and its fields.
  private mutating func answered() -> (place: Int, response: HTTPResponse)? {
    let places = places { if case .httpResponse = $0.event { true } else { false } }
    guard let any = random.pick(places), case .httpResponse(let picked) = lines[any].event else { return nil }
    let channel = lines[any].channel
    var found: (place: Int, response: HTTPResponse)?
    for place in places where lines[place].channel == channel {
      guard case .httpResponse(let response) = lines[place].event, response.req == picked.req else {
        continue
      }
      if let found, found.response.attempt > response.attempt { continue }
      found = (place, response)
    }
    return found
  }

  /// The latest answer becomes a refusal; the attempts that follow are answered too, up to beyond the budget.
  mutating func refusal() -> Bool {
    guard let (place, first) = answered() else { return false }
    var (response, line) = (first, lines[place])
    let rounds = random.isOne(in: 2) ? 1 + random.below(2) : 3 + random.below(4)
    refuse(&response)
    lines[place].event = .httpResponse(response)
    for round in 1...rounds {
      guard response.attempt < 100, let timer = timer(after: line.t) else { return true }
      response = HTTPResponse(req: response.req, attempt: response.attempt + 1, status: 200)
      if round < rounds || random.isOne(in: 3) { refuse(&response) }
      line.t = timer + 1 + random.below(second / 10)
      line.event = .httpResponse(response)
      insert(line)
    }
    return true
  }

  private mutating func refuse(_ response: inout HTTPResponse) {
    response.status = random.isOne(in: 3) ? 429 : 503
    response.retry = random.isOne(in: 2) ? RetryFields() : RetryFields(.after(random.below(12)))
  }

  /// Another value of Retry-After, another unit of the wait.
  mutating func retryAfter() -> Bool {
    guard let (place, first) = answered() else { return false }
    var (response, line) = (first, lines[place])
    response.status = random.isOne(in: 2) ? 429 : 503
    response.retry = retryFields()
    lines[place].event = .httpResponse(response)
    guard response.attempt < 100 else { return true }
    let unit = random.pick([0, 1, 333_333, 500_000, 999_999, 1_000_000]) ?? 0
    lines.removeAll {
      guard case .httpWait(response.req, response.attempt + 1, _, _) = $0.event else { return false }
      return $0.channel == line.channel
    }
    insert(
      .httpWait(req: response.req, try: response.attempt + 1, for: 0, unit: unit), at: line.t, line.channel,
      line.generation)
    if let timer = timer(after: line.t), random.isOne(in: 2) {
      line.t = timer + random.below(second)
      line.event = .httpResponse(
        HTTPResponse(req: response.req, attempt: response.attempt + 1, status: 200))
      insert(line)
    }
    return true
  }

  private mutating func retryFields() -> RetryFields {
    let date = 40_000 + random.below(100)
    switch random.below(7) {
    case 0: return RetryFields(.after(random.pick([0, 1, 2, 29, 30, 31, 86_401, 2_147_483_647]) ?? 0))
    case 1: return RetryFields(.bad(random.pick(RetryFault.allCases) ?? .other))
    case 2: return RetryFields(.at(date + random.below(40)), date: date)
    case 3: return RetryFields(.at(date - 3), date: date)
    case 4:
      return RetryFields(.at(date + 5), form: random.pick(RetryForm.allCases), date: date)
    case 5: return RetryFields(.at(date + 5), date: date, age: 1)
    default: return RetryFields()
    }
  }

  /// An attempt without an answer, perhaps in the middle of its body.
  mutating func failure() -> Bool {
    guard let (place, response) = answered() else { return false }
    let line = lines[place]
    lines[place].event = .httpError(
      req: response.req, try: response.attempt, cause: random.pick(Cause.allCases) ?? .reset, sent: nil)
    if random.isOne(in: 3) {
      insert(
        .httpBody(HTTPBody(req: response.req, attempt: response.attempt, dir: .in, bytes: 1)),
        at: line.t, line.channel, line.generation, isFirst: true)
    }
    return true
  }

  /// A redirect or a renewed login, which the transport follows by itself, before an answer.
  mutating func hop() -> Bool {
    if random.isOne(in: 2) { _ = refusal() }
    let places = places {
      if case .httpResponse(let response) = $0.event { response.hop == nil } else { false }
    }
    guard let place = random.pick(places), case .httpResponse(var response) = lines[place].event else {
      return false
    }
    let line = lines[place]
    let hops = 1 + random.below(2)
    for hop in 0..<hops {
      let followed = HTTPResponse(
        req: response.req, attempt: response.attempt, hop: hop > 0 ? hop : nil,
        status: random.isOne(in: 2) ? 307 : 401)
      let send = HTTPSend(req: response.req, attempt: response.attempt, hop: hop + 1, method: .get)
      let index = lines.firstIndex { $0 == line } ?? place
      lines.insert(
        contentsOf: [
          TraceLine(
            t: line.t, channel: line.channel, generation: line.generation, event: .httpResponse(followed)),
          TraceLine(t: line.t, channel: line.channel, generation: line.generation, event: .httpSend(send)),
        ], at: index)
    }
    response.hop = hops
    if let index = lines.firstIndex(where: { $0 == line }) { lines[index].event = .httpResponse(response) }
    return true
  }

  /// A method or a body that must not be sent again, or that has changed.
  mutating func body() -> Bool {
    let places = places { if case .httpSend(let send) = $0.event { send.attempt == 1 } else { false } }
    guard let place = random.pick(places), case .httpSend(var send) = lines[place].event else { return false }
    if random.isOne(in: 3) {
      let changed = HTTPBody(
        req: send.req, attempt: 1 + random.below(3), dir: random.isOne(in: 3) ? .in : .out, bytes: 10,
        differs: random.isOne(in: 2) ? .body : .key)
      insert(.httpBody(changed), at: instant(from: lines[place].t), lines[place].channel)
      return true
    }
    send.method = random.pick([.post, .put, .delete, .patch, .head]) ?? .post
    send.replayable = random.pick([nil, true, false]) ?? nil
    send.key = random.isOne(in: 2) ? 1 : nil
    lines[place].event = .httpSend(send)
    return true
  }

  /// A change of account, at once or before the answer.
  mutating func session() -> Bool {
    guard let first = lines.first(where: { $0.channel != nil })?.t else { return false }
    if random.isOne(in: 2) { insert(.appSession(1), at: first, nil, isFirst: true) }
    insert(.appSession(2), at: instant(from: first), nil, isFirst: random.isOne(in: 2))
    return true
  }
}
