import GoldwireTrace

/// Traces that the tests of this target draw.
enum Sample {
  /// A WebSocket that beats, falls silent and is closed; its late reset arrives when the next one lives.
  static let lateReset: [TraceLine] = {
    var lines: [TraceLine] = [
      ws(0, 1, .wsConnect),
      ws(30_412, 1, .wsOpen(status: 101, deflate: true)),
    ]
    for beat in 1...8 {
      lines.append(ws(30_030_000 * beat, 1, .wsPing(dir: .out, id: beat, bytes: 4)))
      lines.append(ws(30_030_000 * beat + 12_000 * beat, 1, .wsPong(dir: .in, id: beat, bytes: 4)))
    }
    let message = WSMessage(dir: .in, kind: .text, bytes: 1_240)
    lines += [
      ws(250_000_000, 1, .wsMessage(message)),
      ws(270_300_000, 1, .wsPing(dir: .out, id: 9, bytes: 4)),
      TraceLine(t: 271_000_000, event: .appNetwork(to: .cell)),
      ws(275_300_000, 1, .wsClose(dir: .out, code: 1001, by: .machine)),
      ws(275_300_900, 2, .wsConnect),
      ws(275_391_000, 2, .wsOpen(status: 101, deflate: nil)),
      ws(276_000_000, 1, .wsMessage(message)),
      ws(276_800_000, 1, .wsEnd(cause: .reset, dir: .in)),
      ws(280_000_000, 2, .recGap(Gap(dir: .in, bytes: 1_448, why: .lost))),
      ws(305_391_000, 2, .wsPing(dir: .out, id: 1, bytes: 4)),
      ws(305_431_700, 2, .wsPong(dir: .in, id: 1, bytes: 4)),
      TraceLine(t: 310_000_000, event: .recEnd(why: .stopped, counts: nil)),
    ]
    return lines
  }()

  /// Retries of a request, and an event stream that is cut inside an event.
  static let requests: [TraceLine] = [
    http(0, .httpSend(HTTPSend(req: 1, attempt: 1, method: .get))),
    http(
      42_000,
      .httpResponse(HTTPResponse(req: 1, attempt: 1, status: 503, retry: RetryFields(.after(2))))),
    http(42_100, .httpWait(req: 1, try: 2, for: 2_000_000, unit: 500_000)),
    sse(1_000_000, 1, .sseConnect(cursor: nil)),
    sse(1_031_000, 1, .sseOpen(status: 200, type: .eventStream, retry: RetryFields())),
    sse(1_032_000, 1, .sseEvent(n: 1, id: 1, rev: 1, bytes: 12)),
    sse(1_033_000, 1, .sseHandled(n: 1, ok: true)),
    sse(1_033_000, 1, .sseCommit(cursor: 1)),
    http(2_042_100, .httpSend(HTTPSend(req: 1, attempt: 2, method: .get))),
    http(2_090_000, .httpResponse(HTTPResponse(req: 1, attempt: 2, status: 200))),
    http(2_091_000, .httpBody(HTTPBody(req: 1, attempt: 2, dir: .in, bytes: 20_480, done: true))),
    http(2_091_000, .httpStop(req: 1, why: .delivered)),
    sse(3_500_000, 1, .sseCut(cause: .reset, dir: .in, partial: 17)),
    sse(6_500_000, 2, .sseConnect(cursor: 1)),
    sse(6_530_000, 2, .sseOpen(status: 204, type: nil, retry: RetryFields())),
    TraceLine(t: 7_000_000, event: .recEnd(why: .eof, counts: nil)),
  ]

  static func ws(_ t: Int, _ generation: Int, _ event: TraceEvent) -> TraceLine {
    TraceLine(t: t, channel: Channel(.ws, 1), generation: generation, event: event)
  }

  static func http(_ t: Int, _ event: TraceEvent) -> TraceLine {
    TraceLine(t: t, channel: Channel(.http, 1), generation: 1, event: event)
  }

  static func sse(_ t: Int, _ generation: Int, _ event: TraceEvent) -> TraceLine {
    TraceLine(t: t, channel: Channel(.sse, 1), generation: generation, event: event)
  }
}
