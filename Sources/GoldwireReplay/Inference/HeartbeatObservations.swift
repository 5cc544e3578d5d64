internal import GoldwireTrace

/// What the WebSocket channels of a trace show of the client's heartbeat, under each reading of its timers.
struct HeartbeatObservations {
  /// From what the time to a ping is counted.
  enum Cadence: String, CaseIterable {
    /// From the pong before it.
    case afterPong
    /// From the ping before it.
    case fixed
    /// From whatever came in last; no parameter of the machine says so.
    case afterInbound
    /// From whatever the client sent last; no parameter of the machine says so.
    case afterOutbound
    /// From whatever came in or was sent last; no parameter of the machine says so.
    case afterTraffic

    /// Whether a parameter of the machine says so.
    var isKnown: Bool { self == .afterPong || self == .fixed }
    /// What it counts from, in words.
    var start: String {
      switch self {
      case .afterPong: "the pong"
      case .fixed: "the ping before"
      case .afterInbound: "whatever came in last"
      case .afterOutbound: "whatever the client sent last"
      case .afterTraffic: "whatever came in or was sent last"
      }
    }
  }

  /// What keeps a client waiting for a pong.
  enum Policy: String, CaseIterable {
    case pongOnly
    case anyInboundIsLife
  }

  private(set) var gaps: [Cadence: [TimerSpan]] = [:]
  private(set) var waits: [Policy: [TimerSpan]] = [:]
  private(set) var handshakes: [TimerSpan] = []
  /// Pings of the client.
  private(set) var pings = 0
  /// Pings that were answered.
  private(set) var answered = 0
  /// Pings that were sent while another was awaited.
  private(set) var overlapping: [Int] = []
  /// Pings of the peer.
  private(set) var peerPings = 0
  /// Whether anything but the pong came in while one was awaited that never came.
  private(set) var hasLifeInWait = false
  /// Whether anything but pongs came in between two pings.
  private(set) var hasLifeBetween = false
  /// Whether the client sent anything but pings between two pings.
  private(set) var hasSendsBetween = false

  private var links: [Channel: Link] = [:]
  private let beats: Bool

  /// One connection, as it stands at a line.
  private struct Link {
    var generation = 0
    var connecting: Int?
    var isOpen = false
    var isAwaiting = false
    var ordinal = 0
    var id: Int?
    /// The instants that the time to the next ping may be counted from; nil where something disturbed it.
    var anchors: [Cadence: Int] = [:]
    /// The line of the opening or of the ping that a fixed cadence counts from.
    var beatLine: Int?
    var isFirstBeat = true
    var ping = 0
    var pong: Int?
    /// The last life while a pong is awaited, and the longest silence in that time.
    var life = 0
    var silence = 0
  }

  init(_ trace: Trace, _ tolerance: TimerTolerance) {
    beats = trace.header.beats != nil
    let scan = TraceScan(trace.lines)
    for index in 0..<scan.count { take(trace.lines[index], index, tolerance) }
    for channel in links.keys.sorted() { survive(channel, at: scan.horizon, max(0, scan.count - 1)) }
  }

  private mutating func take(_ line: TraceLine, _ index: Int, _ tolerance: TimerTolerance) {
    switch line.event {
    case .appBackground, .appForeground, .appNetwork, .recPause, .recGap:
      disturb(line.channel)
      return
    default: break
    }
    guard let channel = line.channel, channel.family == .ws else { return }
    let generation = line.generation ?? 1
    if case .wsConnect = line.event {
      if links[channel] != nil { survive(channel, at: line.t, index) }
      links[channel] = Link(generation: generation, connecting: line.t)
      return
    }
    if case .wsAttach = line.event {
      // It was open before the recording began: what came before is not known.
      links[channel] = Link(generation: generation, isOpen: true)
      return
    }
    guard let link = links[channel], link.generation == generation else { return }
    switch line.event {
    case .wsOpen(let status, _):
      if let status, (100..<200).contains(status), status != 101 { return }
      open(channel, line.t, index)
    case .wsPing(let dir, let id, _) where !beats: ping(channel, dir, id, line.t, index, tolerance)
    case .wsPong(.in, let id, _) where !beats: pong(channel, id, line.t, index)
    case .wsPinged(let id, .ok, _): pong(channel, id, line.t, index)
    case .wsMessage(let message):
      switch message.beat {
      case .ping: ping(channel, message.dir, message.id, line.t, index, tolerance)
      case .pong where message.dir == .in: pong(channel, message.id, line.t, index)
      default: message.dir == .in ? live(channel, line.t) : sent(channel, line.t)
      }
    case .wsPong(.out, _, _): sent(channel, line.t)
    case .wsPing(.in, _, _), .wsPong(.in, _, _), .recLife(.in, .bytes): live(channel, line.t)
    case .wsClose(.out, let code, let by):
      // A client that closes with 1011 says that something failed (RFC 6455, section 7.4.1); nobody asked for that.
      end(channel, line.t, index, isOwn: by != .user, isDoubtful: by != .machine && code != 1011)
    case .wsEnd(_, let dir): end(channel, line.t, index, isOwn: dir == .out)
    case .wsClose(.in, _, _), .wsRefused, .wsPinged: end(channel, line.t, index, isOwn: false)
    default: break
    }
  }

  /// Something other than a timer may decide what comes next.
  private mutating func disturb(_ channel: Channel?) {
    for key in links.keys where channel == nil || channel == key {
      links[key]?.anchors = [:]
      links[key]?.isAwaiting = false
      links[key]?.connecting = nil
    }
  }

  private mutating func open(_ channel: Channel, _ t: Int, _ index: Int) {
    guard var link = links[channel], !link.isOpen else { return }
    if let start = link.connecting {
      handshakes.append(TimerSpan(kind: .atLeast, length: t - start, line: index))
    }
    link.connecting = nil
    link.isOpen = true
    for cadence in Cadence.allCases { link.anchors[cadence] = t }
    link.beatLine = index
    links[channel] = link
  }

  private mutating func ping(
    _ channel: Channel, _ dir: Direction, _ id: Int?, _ t: Int, _ index: Int, _ tolerance: TimerTolerance
  ) {
    guard dir == .out else {
      peerPings += 1
      return live(channel, t)
    }
    guard var link = links[channel], link.isOpen else { return }
    pings += 1
    for (cadence, anchor) in link.anchors {
      // A ping that comes right behind a pong may have waited for it.
      let waited = cadence == .fixed && link.pong.map { t - $0 <= tolerance.slack && $0 > anchor } ?? false
      gaps[cadence, default: []].append(
        TimerSpan(
          kind: waited ? .atMost : .exact, length: t - anchor, line: index,
          from: cadence == .fixed ? link.beatLine : nil, isFirst: link.isFirstBeat))
    }
    (link.beatLine, link.isFirstBeat) = (index, false)
    if link.isAwaiting { overlapping.append(index) }
    link.anchors = [.fixed: t, .afterOutbound: t, .afterTraffic: t]
    link.ordinal += 1
    (link.id, link.ping, link.life, link.silence) = (id ?? link.ordinal, t, t, 0)
    link.isAwaiting = true
    link.pong = nil
    links[channel] = link
  }

  private mutating func pong(_ channel: Channel, _ id: Int?, _ t: Int, _ index: Int) {
    guard var link = links[channel], link.isAwaiting, id == nil || id == link.id else {
      return live(channel, t)
    }
    answered += 1
    waits[.pongOnly, default: []].append(TimerSpan(kind: .atLeast, length: t - link.ping, line: index))
    waits[.anyInboundIsLife, default: []].append(
      TimerSpan(kind: .atLeast, length: max(link.silence, t - link.life), line: index))
    link.isAwaiting = false
    link.pong = t
    link.anchors[.afterPong] = t
    link.anchors[.afterInbound] = t
    if link.anchors[.afterTraffic] != nil { link.anchors[.afterTraffic] = t }
    links[channel] = link
  }

  /// The client sent something that is no ping.
  private mutating func sent(_ channel: Channel, _ t: Int) {
    guard let link = links[channel], link.isOpen else { return }
    for cadence in [Cadence.afterOutbound, .afterTraffic] where link.anchors[cadence] != nil {
      links[channel]?.anchors[cadence] = t
      hasSendsBetween = true
    }
  }

  /// Something came in that answers nothing.
  private mutating func live(_ channel: Channel, _ t: Int) {
    guard var link = links[channel], link.isOpen else { return }
    if link.anchors[.afterInbound] != nil {
      link.anchors[.afterInbound] = t
      hasLifeBetween = true
    }
    if link.anchors[.afterTraffic] != nil { link.anchors[.afterTraffic] = t }
    if link.isAwaiting {
      link.silence = max(link.silence, t - link.life)
      link.life = t
    }
    links[channel] = link
  }

  /// The connection ended; where the client did it while it awaited something, that is a timer that ran off.
  private mutating func end(
    _ channel: Channel, _ t: Int, _ index: Int, isOwn: Bool, isDoubtful: Bool = true
  ) {
    guard let link = links[channel] else { return }
    guard isOwn, link.isAwaiting || link.connecting != nil else { return survive(channel, at: t, index) }
    if let start = link.connecting {
      handshakes.append(
        TimerSpan(kind: .exact, length: t - start, line: index, isDoubtful: isDoubtful))
    } else {
      if link.life > link.ping { hasLifeInWait = true }
      waits[.pongOnly, default: []].append(
        TimerSpan(kind: .exact, length: t - link.ping, line: index, isDoubtful: isDoubtful))
      waits[.anyInboundIsLife, default: []].append(
        TimerSpan(kind: .exact, length: t - link.life, line: index, isDoubtful: isDoubtful))
      if link.silence > 0 {
        waits[.anyInboundIsLife, default: []].append(
          TimerSpan(kind: .atLeast, length: link.silence, line: index))
      }
    }
    links[channel] = nil
  }

  /// What is known of timers that had not run off when a connection, or the recording, ended.
  private mutating func survive(_ channel: Channel, at t: Int, _ index: Int) {
    guard let link = links[channel] else { return }
    if let start = link.connecting {
      handshakes.append(TimerSpan(kind: .atLeast, length: t - start, line: index))
    }
    if link.isAwaiting {
      waits[.pongOnly, default: []].append(TimerSpan(kind: .atLeast, length: t - link.ping, line: index))
      waits[.anyInboundIsLife, default: []].append(
        TimerSpan(kind: .atLeast, length: max(link.silence, t - link.life), line: index))
    } else {
      for (cadence, anchor) in link.anchors {
        gaps[cadence, default: []].append(TimerSpan(kind: .atLeast, length: t - anchor, line: index))
      }
    }
    links[channel] = nil
  }
}
