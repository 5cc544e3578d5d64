import GoldwireTestSupport
import GoldwireTrace

/// Random lines of every kind with every optional key, from a seed.
struct RandomTrace {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func coin() -> Bool { Bool.random(using: &random) }

  mutating func word<W: CaseIterable>(_ type: W.Type = W.self) -> W {
    let all = Array(W.allCases)
    return all[Int.random(in: 0..<all.count, using: &random)]
  }

  mutating func maybe<Value>(_ make: (inout RandomTrace) -> Value) -> Value? {
    coin() ? make(&self) : nil
  }

  /// A number of any length up to the format's largest.
  mutating func number(_ range: ClosedRange<Int> = 0...TraceLimits.number) -> Int {
    let digits = Int.random(in: 1...16, using: &random)
    var top = 1
    for _ in 0..<digits { top *= 10 }
    let upper = max(range.lowerBound, min(range.upperBound, top))
    return Int.random(in: range.lowerBound...upper, using: &random)
  }

  mutating func id() -> Int { number(1...TraceLimits.number) }

  mutating func signed() -> Int { coin() ? number() : -number() }

  mutating func status() -> Int { number(100...599) }

  mutating func retry() -> RetryFields {
    var fields = RetryFields()
    switch Int.random(in: 0..<4, using: &random) {
    case 0: fields.value = .after(number(0...2_147_483_647))
    case 1: fields.value = .at(signed())
    case 2: fields.value = .bad(word())
    default: break
    }
    fields.form = maybe { $0.word() }
    fields.date = maybe { $0.signed() }
    fields.age = maybe { $0.number() }
    return fields
  }

  mutating func line(_ kind: EventKind, at t: Int) -> TraceLine {
    let name = kind.rawValue
    var line = TraceLine(t: t, event: event(kind))
    if name.hasPrefix("ws.") {
      line.channel = Channel(.ws, id())
      line.generation = id()
    } else if name.hasPrefix("http.") {
      line.channel = Channel(.http, id())
      line.generation = maybe { $0.id() }
    } else if name.hasPrefix("sse.") {
      line.channel = Channel(.sse, id())
      line.generation = id()
    } else {
      switch kind {
      case .recTick, .recLife, .recOpaque:
        line.channel = Channel(word(), id())
        line.generation = id()
      case .recGap, .recNote, .recPause, .recWall:
        line.channel = maybe { Channel($0.word(), $0.id()) }
        line.generation = line.channel == nil ? nil : maybe { $0.id() }
      default: break
      }
    }
    return line
  }

  mutating func event(_ kind: EventKind) -> TraceEvent {
    switch kind {
    case .wsConnect: .wsConnect
    case .wsAttach: .wsAttach
    case .wsOpen: .wsOpen(status: maybe { $0.status() }, deflate: maybe { $0.coin() })
    case .wsRefused: .wsRefused(cause: word(), status: maybe { $0.status() }, retry: retry())
    case .wsPing: .wsPing(dir: word(), id: maybe { $0.id() }, bytes: maybe { $0.number() })
    case .wsPong: .wsPong(dir: word(), id: maybe { $0.number() }, bytes: maybe { $0.number() })
    case .wsPinged: .wsPinged(id: maybe { $0.number() }, result: word(), cause: maybe { $0.word() })
    case .wsMessage:
      .wsMessage(
        WSMessage(
          dir: word(), kind: word(), bytes: number(), since: maybe { $0.number() },
          beat: maybe { $0.word() }, id: maybe { $0.number() }))
    case .wsClose: .wsClose(dir: word(), code: maybe { $0.number(1_000...4_999) }, by: maybe { $0.word() })
    case .wsEnd: .wsEnd(cause: word(), dir: maybe { $0.word() })
    case .sseConnect: .sseConnect(cursor: maybe { $0.number() })
    case .sseOpen: .sseOpen(status: maybe { $0.status() }, type: maybe { $0.word() }, retry: retry())
    case .sseEvent: .sseEvent(n: id(), id: maybe { $0.number() }, rev: id(), bytes: number())
    case .sseID: .sseID(id: number())
    case .sseComment: .sseComment
    case .sseRetry: .sseRetry(ms: number(0...2_147_483_647))
    case .sseHandled: .sseHandled(n: id(), ok: coin())
    case .sseCommit: .sseCommit(cursor: number())
    case .sseCut: .sseCut(cause: word(), dir: word(), partial: number())
    case .sseCancel: .sseCancel
    case .appBackground: .appBackground
    case .appForeground: .appForeground
    case .appNetwork: .appNetwork(to: word())
    case .appSession: .appSession(id())
    default: requestOrRecorder(kind)
    }
  }

  private mutating func requestOrRecorder(_ kind: EventKind) -> TraceEvent {
    switch kind {
    case .httpSend:
      .httpSend(
        HTTPSend(
          req: id(), attempt: id(), hop: maybe { $0.id() }, method: word(), replayable: maybe { $0.coin() },
          key: maybe { $0.id() }, bytes: maybe { $0.number() }))
    case .httpResponse:
      .httpResponse(
        HTTPResponse(
          req: id(), attempt: id(), hop: maybe { $0.id() }, status: maybe { $0.status() }, retry: retry(),
          type: maybe { $0.word() }, sse: maybe { $0.id() }))
    case .httpBody:
      .httpBody(
        HTTPBody(
          req: id(), attempt: id(), dir: word(), bytes: number(), done: maybe { $0.coin() },
          differs: Differences(rawValue: UInt8(number(0...3)))))
    case .httpError: .httpError(req: id(), try: id(), cause: word(), sent: maybe { $0.coin() })
    case .httpWait:
      .httpWait(req: id(), try: id(), for: number(), unit: maybe { $0.number(0...1_000_000) })
    case .httpCancel: .httpCancel(req: id())
    case .httpStop: .httpStop(req: id(), why: word())
    case .recTick: .recTick
    case .recPause: .recPause(for: number(), slept: maybe { $0.number() })
    case .recWall: .recWall(step: signed())
    case .recLife: .recLife(dir: word(), kind: word())
    case .recGap:
      .recGap(
        Gap(
          dir: maybe { $0.word() }, bytes: maybe { $0.number() }, packets: maybe { $0.number() },
          events: maybe { $0.number() }, why: word()))
    case .recOpaque:
      .recOpaque(
        Opaque(
          at: word(), why: word(), cause: maybe { $0.word() }, dir: maybe { $0.word() },
          out: maybe { $0.number() }, in: maybe { $0.number() }))
    case .recNote: .recNote(word(), rule: maybe { $0.rule() })
    case .recDrop: .recDrop(count: number())
    default: .recEnd(why: word(), counts: maybe { $0.counts() })
    }
  }

  private mutating func rule() -> RuleName {
    let rfc = UInt16(number(1...65_535))
    let parts = (0..<4).map { _ in UInt8(number(1...255)) }
    switch number(1...4) {
    case 1: return RuleName(rfc: rfc, parts[0])
    case 2: return RuleName(rfc: rfc, parts[0], parts[1])
    case 3: return RuleName(rfc: rfc, parts[0], parts[1], parts[2])
    default: return RuleName(rfc: rfc, parts[0], parts[1], parts[2], parts[3])
    }
  }

  private mutating func counts() -> Counts {
    var counts = Counts()
    counts.packets = number()
    if coin() { counts.ignored = number() }
    if coin() { counts.notIP = number() }
    if coin() { counts.notTCP = number() }
    if coin() { counts.cut = number() }
    if coin() { counts.damaged = number() }
    if coin() { counts.badFragment = number() }
    if coin() { counts.ciphered = number() }
    if coin() { counts.nested = number() }
    if coin() { counts.linkType = number() }
    if coin() { counts.datagrams = number() }
    if coin() { counts.connections = number() }
    if coin() { counts.gaps = number() }
    if coin() { counts.opaque = number() }
    if coin() { counts.undecodable = number() }
    if coin() { counts.dropped = number() }
    return counts
  }

  mutating func header() -> TraceHeader {
    var table = ParameterTable()
    if coin() {
      table[.heartbeat] = [.interval: .span(TimeSpan(microseconds: id())), .policy: .word(.pongOnly)]
    }
    if coin() { table[.retry] = [.statuses: .numbers([429, 503]), .transport: .flag(coin())] }
    if coin() { table[.stream] = [.idle: .word(.off), .window: .number(65_536)] }
    return TraceHeader(
      tool: "goldwire 0.1.0", source: word(), unit: word(), clock: word(),
      grain: maybe { $0.id() % 1_000_000 + 1 },
      wall: maybe { $0.number() % 86_400_000_000 }, at: word(), blind: Blind.allCases.filter { _ in coin() },
      inForce: maybe { _ in table }, inForceBy: maybe { $0.word() }, beats: maybe { $0.word() })
  }

  /// A trace with every kind, several times, in a random order.
  mutating func trace(rounds: Int = 3) -> Trace {
    var lines: [TraceLine] = []
    var t = 0
    for _ in 0..<rounds {
      for kind in EventKind.allCases.shuffled(using: &random) {
        t += number(0...1_000_000)
        lines.append(line(kind, at: t))
      }
    }
    return Trace(header: header(), lines: lines)
  }
}
