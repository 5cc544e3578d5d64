import GoldwireTestSupport
import Testing

@testable import GoldwireTrace

/// Traces that are cut, mutated or made to leak.
@Suite struct HostileTraceTests {
  private func sample(_ seed: UInt64) -> [UInt8] {
    var random = RandomTrace(seed: seed)
    return random.trace(rounds: 1).bytes()
  }

  @Test("a trace cut at any byte is read up to its last whole line, or refused in one line")
  func cutAnywhere() throws {
    let bytes = sample(3)
    let whole = try Trace(bytes: bytes)
    let headerEnd = try #require(bytes.firstIndex(of: 0x0A))
    for end in 0...bytes.count {
      let part = Array(bytes[..<end])
      if end < headerEnd {
        #expect(throws: TraceError.self) { try Trace(bytes: part) }
        continue
      }
      let trace = try Trace(bytes: part)
      let lines = part.count { $0 == 0x0A } - 1
      let isWhole = part.last == 0x0A || end == headerEnd || bytes[end] == 0x0A
      let count = part.last == 0x0A ? lines : isWhole ? lines + 1 : lines
      #expect(trace.lines == Array(whole.lines.prefix(max(count, 0))))
      #expect(trace.isTorn == !isWhole)
    }
  }

  @Test(
    "a mutated trace is read or refused, and what is read can be written and read again",
    arguments: UInt64(0)..<25)
  func mutated(seed: UInt64) throws {
    let bytes = sample(seed)
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("{}[]\",:0123456789eE.-+\\utfn wshtp\n\r\u{0}\u{7f}".utf8) + [0x80, 0xFF, 0xED]
    for _ in 0..<120 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<mutant.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: mutant[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        case 1: mutant.remove(at: place)
        case 2: mutant.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
        default:
          let end = min(mutant.count, place + Int.random(in: 1...40, using: &random))
          mutant.insert(contentsOf: mutant[place..<end], at: Int.random(in: 0...mutant.count, using: &random))
        }
      }
      guard let trace = try? Trace(bytes: mutant) else { continue }
      let written = trace.bytes()
      #expect(try Trace(bytes: written).lines == trace.lines)
      #expect(
        try TraceAudit.findings(in: written).allSatisfy { [.pseudonym, .tool, .number].contains($0.kind) })
    }
  }

  @Test("whatever numbers a line is given, what is written can be read", arguments: EventKind.allCases)
  func writerNeverLies(kind: EventKind) throws {
    let edges = [Int.min, -1, 0, 1, 99, 600, 5_000, 2_147_483_648, TraceLimits.number + 1, Int.max]
    for edge in edges {
      var line = TraceLine(t: edge, channel: Channel(.ws, edge), generation: edge, event: .recTick)
      switch kind {
      case .wsOpen: line.event = .wsOpen(status: edge, deflate: nil)
      case .wsPing: line.event = .wsPing(dir: .out, id: edge, bytes: edge)
      case .wsClose: line.event = .wsClose(dir: .in, code: edge, by: nil)
      case .recEnd:
        line = TraceLine(t: edge, event: .recEnd(why: .eof, counts: Counts()))
      case .sseRetry:
        line.event = .sseRetry(ms: edge)
        line.channel = Channel(.sse, edge)
      case .httpWait:
        line.event = .httpWait(req: edge, try: edge, for: edge, unit: edge)
        line.channel = Channel(.http, edge)
      case .httpResponse:
        line.channel = Channel(.http, edge)
        line.event = .httpResponse(
          HTTPResponse(
            req: edge, attempt: edge, hop: edge, status: edge,
            retry: RetryFields(.after(edge), date: edge, age: edge), sse: edge))
      case .recWall: line.event = .recWall(step: edge)
      case .recNote: line.event = .recNote(.protocol, rule: RuleName(rfc: 0, 0, 0, 0, 7))
      default: break
      }
      var bytes: [UInt8] = []
      bytes.append(line)
      #expect(TraceLine(canonical: bytes.span.extracting(droppingLast: 1)) != nil)
    }
  }

  @Test("no error ever holds what was read", arguments: UInt64(0)..<30)
  func canary(seed: UInt64) throws {
    let canaries = ["zq7canary", "8675309421"]
    let bytes = sample(seed)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let canary = canaries[Int.random(in: 0..<2, using: &random)]
      var mutant = bytes
      let place = Int.random(in: 0..<mutant.count, using: &random)
      mutant.replaceSubrange(
        place..<min(mutant.count, place + Int.random(in: 0...9, using: &random)), with: canary.utf8)
      do {
        let trace = try Trace(bytes: mutant)
        if canary == canaries[0] {
          #expect(
            !String(decoding: trace.bytes(), as: UTF8.self).contains(canary)
              || trace.header.tool.contains(canary))
        }
      } catch {
        #expect(!"\(error)".contains(canary))
        #expect(!"\(error)".contains("\n"))
      }
    }
  }

  @Test("CRLF line ends are read, and LF is written")
  func carriageReturns() throws {
    let bytes = sample(5)
    let text = String(decoding: bytes, as: UTF8.self).replacing("\n", with: "\r\n")
    let trace = try Trace(bytes: Array(text.utf8))
    #expect(trace.bytes() == bytes)
    #expect(try TraceAudit.findings(in: Array(text.utf8)).contains { $0.kind == .notCanonical })
  }
}
