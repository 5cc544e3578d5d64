import CaptureGenerator
import GoldwireTrace

/// The lines of a trace counted by kind, as the truth counts them; `rec.gap` alone of the recorder's own lines.
struct Tally: Equatable {
  var counts: [String: Int] = [:]
  var sums: [String: Int] = [:]

  init(_ truth: CaptureTruth) { (counts, sums) = (truth.counts, truth.sums) }

  init(_ lines: [TraceLine]) {
    for line in lines { count(line.event) }
  }

  /// What differs, for people.
  func differences(from other: Tally) -> [String] {
    let tables = [("", counts, other.counts), ("bytes of ", sums, other.sums)]
    return tables.flatMap { name, own, others in
      Set(own.keys).union(others.keys).sorted().filter { own[$0] != others[$0] }.map {
        "\(name)\($0): \(own[$0] ?? 0), not \(others[$0] ?? 0)"
      }
    }
  }

  private mutating func count(_ event: TraceEvent) {
    guard let kind = Tally.kind(event) else { return }
    counts[kind.name, default: 0] += 1
    if let bytes = kind.bytes { sums[kind.name, default: 0] += bytes }
    for mark in Tally.marks(event) { counts[mark, default: 0] += 1 }
  }

  /// The kind of an event as the truth names it, and its bytes.
  static func kind(_ event: TraceEvent) -> (name: String, bytes: Int?)? {
    let name = event.kind.rawValue
    return switch event {
    case .wsOpen(let status, _): ("\(name) \(status ?? 0)", nil)
    case .wsRefused(_, let status, _): ("\(name) \(status ?? 0)", nil)
    case .wsPing(let dir, _, let bytes), .wsPong(let dir, _, let bytes): ("\(name) \(dir.rawValue)", bytes)
    case .wsMessage(let message):
      ("\(name) \(message.dir.rawValue) \(message.kind.rawValue)", message.bytes)
    case .wsClose(let dir, let code, _): ("\(name) \(dir.rawValue) \(code ?? 0)", nil)
    case .wsEnd(let cause, let dir): ("\(name) \(dir?.rawValue ?? "?") \(cause.rawValue)", nil)
    case .httpSend(let send): ("\(name) \(send.method.rawValue)", nil)
    case .httpResponse(let response): ("\(name) \(response.status ?? 0)", nil)
    case .httpBody(let body):
      ("\(name) \(body.dir.rawValue)\(body.done == false ? " cut" : "")", body.bytes)
    case .httpError(_, _, let cause, _): ("\(name) \(cause.rawValue)", nil)
    case .sseOpen(let status, _, _): ("\(name) \(status ?? 0)", nil)
    case .sseEvent(_, _, _, let bytes): (name, bytes)
    case .sseCut(let cause, let dir, let partial): ("\(name) \(dir.rawValue) \(cause.rawValue)", partial)
    case .recLife, .recEnd, .recNote: nil
    default: (name, nil)
    }
  }

  /// What an event has besides its kind.
  private static func marks(_ event: TraceEvent) -> [String] {
    let name = event.kind.rawValue
    return switch event {
    case .wsOpen(_, let deflate): deflate == true ? ["\(name) deflate"] : []
    case .wsMessage(let message): message.since != nil ? ["\(name) since"] : []
    case .wsPong(_, let id, _): id ?? 0 > 0 ? ["\(name) known"] : []
    case .httpSend(let send): send.attempt > 1 ? ["\(name) again"] : []
    case .httpResponse(let response): retry(name, response.retry)
    case .sseConnect(let cursor): cursor != nil ? ["\(name) cursor"] : []
    case .sseOpen(_, _, let retry): Tally.retry(name, retry)
    case .sseEvent(_, let id, _, _): id != nil ? ["\(name) id"] : []
    default: []
    }
  }

  private static func retry(_ name: String, _ fields: RetryFields) -> [String] {
    switch fields.value {
    case .after: ["\(name) retryAfter"]
    case .at: ["\(name) retryAt"]
    case .bad, nil: []
    }
  }
}
