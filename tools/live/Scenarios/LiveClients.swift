/// A heartbeat's client; times in milliseconds.
public struct LiveHeartbeat: Sendable {
  var interval: Int
  var timeout: Int
  var connectTimeout: Int?
  var isAnyInboundLife: Bool
  var isFixed: Bool
  /// How long it waits before it connects again.
  var pause: Int
  /// How long the session takes.
  var lasts: Int
  /// How often the client sends a message; 0 for never.
  var sendsEvery: Int
  /// Whether the app changes between background and foreground, and between networks.
  var changesApp: Bool

  init(_ family: LiveFamily, _ draw: inout LiveDraw) {
    interval = draw.whole(60...120)
    timeout = draw.whole(40...90)
    connectTimeout = family == .silentHandshakes || draw.chance(30) ? draw.whole(60...120) : nil
    // Of a message that stalls a capture sees the bytes, and the client nothing.
    isAnyInboundLife = draw.chance(20) && family != .stalls
    isFixed = draw.chance(20)
    pause = draw.whole(10...60)
    lasts = draw.whole(900...1_400)
    sendsEvery = draw.chance(50) ? draw.whole(20...90) : 0
    changesApp = family == .app
  }
}

/// A client of retries; times in milliseconds.
public struct LiveRetry: Sendable {
  /// What the caller does to one of its requests.
  enum Wish: Sendable {
    case none
    /// It cancels as soon as a wait has begun.
    case cancelWaiting
    /// It cancels as soon as the first attempt is on its way.
    case cancelSending
    /// The app's session changes as soon as a wait has begun.
    case changeSession
  }

  var base: Int
  var count: Int
  var retriesTransport: Bool
  /// The requests, one after the other: a method, whether it has a key, and what the caller does.
  var requests: [(method: String, hasKey: Bool, wish: Wish)]

  init(_ family: LiveFamily, _ draw: inout LiveDraw) {
    base = draw.whole(20...60)
    count = family == .budgets ? draw.whole(0...3) : 3
    retriesTransport = family == .breaks ? draw.chance(60) : false
    requests = []
    for _ in 0..<draw.whole(2...4) {
      let method =
        family == .writes ? draw.pick(["POST", "PUT", "PATCH"]) : draw.pick(["GET", "GET", "HEAD"])
      let wish: Wish =
        switch family {
        case .cancellations: draw.pick([.cancelWaiting, .cancelSending])
        case .sessions: .changeSession
        default: .none
        }
      requests.append((method, family == .writes && draw.chance(50), wish))
    }
  }
}

/// A client of an event stream; times in milliseconds.
public struct LiveStream: Sendable {
  var delay: Int
  var idle: Int?
  /// The events after which the reader is not wanted any more.
  var events: Int
  /// Every so many events a handler fails once; 0 for never.
  var failsEvery: Int

  init(_ family: LiveFamily, _ draw: inout LiveDraw) {
    delay = draw.whole(20...60)
    idle = family == .silences ? draw.whole(60...120) : nil
    events = draw.whole(8...20)
    failsEvery = family == .handlers ? draw.whole(2...4) : 0
  }
}
