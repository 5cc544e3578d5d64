import CaptureGenerator
import GoldwireTrace
import Testing

/// Of a capture that misses packets a recording reports the holes, and invents nothing.
@Suite struct LossTests {
  @Test("each event of the lossy recording is in the whole one", arguments: TruthTests.seeds + [7, 8, 9, 10])
  func nothingIsInvented(seed: UInt64) throws {
    let whole = Made(seed: seed)
    let lossy = Made(seed: seed) { $0.drop = 10_000 }
    #expect(lossy.truth.dropped > 5)
    #expect(lossy.truth.packets + lossy.truth.dropped == whole.truth.packets)
    let lines = try lossy.lines()
    #expect(lines.contains { $0.event.kind == .recGap })
    #expect(try Seen(lines).invented(besides: Seen(whole.lines())) == [])
  }

  @Test func anInventedEventIsFound() throws {
    let lines = try Made(seed: 1).lines()
    let message = TraceEvent.wsMessage(WSMessage(dir: .in, kind: .text, bytes: 1_000_003))
    let more = TraceLine(t: 5, channel: Channel(.ws, 1), generation: 1, event: message)
    #expect(Seen(lines + [more]).invented(besides: Seen(lines)) == ["ws.message in text 1000003"])
    #expect(Seen(lines + [lines[10]]).invented(besides: Seen(lines)).count == 1)
  }
}

/// The events of a recording, without the names and numbers that depend on what was recorded before them.
struct Seen {
  private var found: [String: Int] = [:]

  /// Takes a recording's events.
  ///
  /// Where the request was missed, its response can be no more than one of HTTP; so answers of all kinds are one kind,
  /// and what follows such a response is left out. Which side ended a connection cannot be told without its FIN.
  init(_ lines: [TraceLine]) {
    var sent: Set<String> = []
    for line in lines {
      let place = "\(line.channel.map { "\($0)" } ?? "") \(line.generation ?? 0)"
      switch line.event {
      case .httpSend(let send):
        sent.insert("\(place) \(send.req)")
        add("http.send \(send.method.rawValue) \(send.bytes ?? -1)")
      case .httpResponse(let response): add("answer \(response.status ?? 0)")
      case .wsOpen(let status, _), .wsRefused(_, let status, _), .sseOpen(let status, _, _):
        add("answer \(status ?? 0)")
      case .httpBody(let body):
        guard sent.contains("\(place) \(body.req)") else { continue }
        add("http.body \(body.dir.rawValue) \(body.bytes) \(body.done ?? true)")
      case .httpError(let req, _, let cause, _):
        guard sent.contains("\(place) \(req)") else { continue }
        add("http.error \(cause.rawValue)")
      case .sseCut, .wsEnd: add(line.event.kind.rawValue)
      case .wsAttach, .recLife, .recEnd, .recNote, .recGap, .recOpaque: break
      default:
        guard let kind = Tally.kind(line.event) else { continue }
        add("\(kind.name)\(kind.bytes.map { " \($0)" } ?? "")")
      }
    }
  }

  /// What is here more often than there.
  func invented(besides whole: Seen) -> [String] {
    found.filter { $0.value > whole.found[$0.key] ?? 0 }.map(\.key).sorted()
  }

  private mutating func add(_ event: String) { found[event, default: 0] += 1 }
}
