import GoldwireTrace

// Which request is the next try, or the next hop, of which.
extension ChannelBook {
  /// What channels of one family, endpoint and path have in common.
  static func key(_ family: Channel.Family, endpoint: UInt64, path: UInt64, seed: UInt64) -> UInt64 {
    var hash = KeyedHash(key: seed ^ endpoint)
    hash.add(UInt64(family.rawValue.utf8.count) << 8 | UInt64(family.rawValue.utf8.first ?? 0))
    hash.add(path)
    return hash.value
  }

  /// Numbers a request that starts at `now`: as the next try or hop of an earlier one, or as a new one.
  mutating func number(_ exchange: inout Exchange, at now: Int) {
    let channel = exchange.channel
    if let past = self[channel].past.match(exchange.identity, at: now) {
      exchange.request = past.request
      exchange.attempt = past.kind == .failed ? past.attempt &+ 1 : past.attempt
      exchange.hop = past.kind == .failed ? 0 : past.hop &+ 1
      exchange.expected = past.kind == .failed ? past.body : nil
      exchange.start = past.start
    } else {
      self[channel].requests &+= 1
      exchange.request = self[channel].requests
    }
  }

  /// Remembers what a response's status lets follow: a try, or a hop to `location` or with credentials.
  mutating func answer(
    _ exchange: Exchange, _ status: Int, _ digest: ResponseDigest, _ clock: WallClock, at now: Int, limit: Int
  ) {
    switch status {
    case 429, 503: fail(exchange, wait: digest.wait(clock, at: now), at: now, limit: limit)
    case 401: follow(exchange, .unauthorized, target: exchange.identity.target, at: now, limit: limit)
    case 301, 302, 303, 307, 308:
      if let target = digest.location {
        follow(exchange, .redirected, target: target, at: now, limit: limit)
      }
    default: break
    }
  }

  /// Remembers a failed request, so that the same one within the window is its next try.
  mutating func fail(_ exchange: Exchange, wait: Int, at now: Int, limit: Int) {
    guard exchange.kind == .http, exchange.channel >= 0, exchange.identity.target != 0 else { return }
    let window = max(30_000_000, min(wait, 1 << 60)) &+ 5_000_000
    self[exchange.channel].past.add(
      PastRequests.Entry(
        kind: .failed, identity: exchange.identity, request: exchange.request, attempt: exchange.attempt,
        hop: exchange.hop, until: now.addingReportingOverflow(window).partialValue,
        body: exchange.expected ?? exchange.body, start: exchange.start), limit: limit)
  }

  private mutating func follow(
    _ exchange: Exchange, _ kind: PastRequests.Kind, target: UInt64, at now: Int, limit: Int
  ) {
    var identity = exchange.identity
    let body = exchange.expected ?? exchange.body
    let start = exchange.start ?? PastRequests.Start(identity: identity, body: body)
    identity.target = target
    self[exchange.channel].past.add(
      PastRequests.Entry(
        kind: kind, identity: identity, request: exchange.request, attempt: exchange.attempt,
        hop: exchange.hop, until: now &+ 35_000_000, body: body, start: start), limit: limit)
  }
}
