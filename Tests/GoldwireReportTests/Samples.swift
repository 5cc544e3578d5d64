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

  /// One of each kind of line that the others lack.
  static let rare: [TraceLine] = [
    ws(0, 1, .wsAttach),
    ws(1_000, 1, .wsRefused(cause: .status, status: 503, retry: RetryFields(.bad(.unit)))),
    ws(2_000, 2, .wsRefused(cause: .refused, status: nil, retry: RetryFields())),
    ws(3_000, 3, .wsConnect),
    ws(4_000, 3, .wsPing(dir: .in, id: nil, bytes: nil)),
    ws(5_000, 3, .wsPong(dir: .out, id: 1, bytes: 0)),
    ws(6_000, 3, .wsPong(dir: .in, id: 0, bytes: 0)),
    ws(7_000, 3, .wsPing(dir: .out, id: nil, bytes: nil)),
    ws(8_000, 3, .wsPing(dir: .out, id: nil, bytes: nil)),
    ws(9_000, 3, .wsPinged(id: nil, result: .error, cause: .timeout)),
    ws(9_500, 3, .wsClose(dir: .in, code: 1001, by: nil)),
    ws(
      10_000, 4,
      .wsMessage(WSMessage(dir: .out, kind: .binary, bytes: 7, since: 9_000, beat: .ping, id: 3))),
    http(11_000, .httpSend(HTTPSend(req: 1, attempt: 1, method: .post, replayable: false, key: 1, bytes: 2))),
    http(
      12_000,
      .httpBody(HTTPBody(req: 1, attempt: 1, dir: .out, bytes: 2, done: false, differs: [.key, .body]))),
    http(13_000, .httpError(req: 1, try: 1, cause: .reset, sent: true)),
    http(14_000, .httpCancel(req: 1)),
    http(15_000, .httpStop(req: 1, why: .cancelled)),
    http(
      16_000,
      .httpResponse(HTTPResponse(req: 2, attempt: 1, hop: 1, status: nil, retry: RetryFields(.at(3)), sse: 1))
    ),
    sse(17_000, 1, .sseID(id: 0)),
    sse(18_000, 1, .sseComment),
    sse(19_000, 1, .sseRetry(ms: 1_500)),
    sse(20_000, 1, .sseEvent(n: 1, id: 1, rev: 2, bytes: 3)),
    sse(21_000, 1, .sseHandled(n: 1, ok: false)),
    sse(22_000, 1, .sseCancel),
    sse(23_000, 1, .sseCut(cause: .local, dir: .out, partial: 0)),
    TraceLine(t: 24_000, event: .appBackground),
    TraceLine(t: 25_000, event: .appForeground),
    TraceLine(t: 26_000, event: .appSession(2)),
    TraceLine(t: 27_000, event: .recPause(for: 3_000_000, slept: 2_000_000)),
    TraceLine(t: 28_000, event: .recWall(step: -3_600_000_000)),
    TraceLine(t: 29_000, channel: Channel(.ws, 1), generation: 4, event: .recLife(dir: .in, kind: .ack)),
    TraceLine(t: 30_000, event: .recGap(Gap(bytes: 10, packets: 1, events: 2, why: .snaplen))),
    TraceLine(
      t: 31_000, channel: Channel(.tcp, 1), generation: 1,
      event: .recOpaque(Opaque(at: .open, why: .noKeys, cause: nil, dir: nil, out: 12, in: 13))),
    TraceLine(t: 32_000, event: .recNote(.protocol, rule: RuleName(rfc: 6455, 5, 5))),
    TraceLine(t: 33_000, event: .recDrop(count: 1)),
    TraceLine(t: 7_200_000_000, event: .recEnd(why: .signal, counts: nil)),
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
