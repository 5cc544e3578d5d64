import GoldwireReplay
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// On which side of the jitter a cap stands: told from the waits that heap at the longest one, and else left open.
@Suite struct CapInferenceTests {
  private static let slack = 250_000

  /// A client whose backoff is drawn from a seed.
  private struct Client {
    enum Form: String, CaseIterable { case uncapped, afterCap, beforeCap }

    let kind: String
    let form: Form
    let factor: Double
    let base: Int
    let cap: Int
    let retries: Int
    let requests: Int
    private(set) var longest = 0
    private(set) var lines: [TraceLine] = []

    init(
      seed: UInt64, kind: String? = nil, form: Form? = nil, retries: Int? = nil, requests: Int? = nil,
      lateness: Int = 12_000
    ) {
      var random = SeededGenerator(seed: seed)
      let kinds = ["none", "equal", "full"]
      self.kind = kind ?? kinds[Int.random(in: 0...2, using: &random)]
      self.form = form ?? Form.allCases[Int.random(in: 0...2, using: &random)]
      factor = [1.5, 2, 3][Int.random(in: 0...2, using: &random)]
      base = Int.random(in: 500_000...3_000_000, using: &random)
      cap = base * Int.random(in: 3...20, using: &random)
      self.retries = retries ?? Int.random(in: 2...8, using: &random)
      self.requests = requests ?? Int.random(in: 1...30, using: &random)
      let late = Bool.random(using: &random) ? lateness : CapInferenceTests.slack
      var t = 0
      for req in 1...self.requests {
        for attempt in 1...self.retries + 1 {
          put(t, .httpSend(HTTPSend(req: req, attempt: attempt, method: .get)))
          t += 20_000
          // Now and then the server says how long.
          let asked =
            Int.random(in: 0...11, using: &random) == 0 ? Int.random(in: 1...9, using: &random) : nil
          put(
            t,
            .httpResponse(
              HTTPResponse(
                req: req, attempt: attempt, status: 503, retry: RetryFields(asked.map { .after($0) }))))
          guard attempt <= self.retries else { break }
          let wait = wait(attempt - 1, &random)
          if asked == nil { longest = max(longest, wait) }
          t += max(wait, (asked ?? 0) * 1_000_000) + Int.random(in: 0...late, using: &random)
        }
        t += 700_000_000
      }
      lines.append(TraceLine(t: t, event: .recEnd(why: .stopped, counts: nil)))
    }

    private func wait(_ index: Int, _ random: inout SeededGenerator) -> Int {
      var whole = Double(base)
      for _ in 0..<index { whole *= factor }
      if form == .afterCap { whole = min(whole, Double(cap)) }
      let most = Int(min(whole, 1e12))
      let drawn =
        switch kind {
        case "none": most
        case "equal": Int.random(in: most / 2...most, using: &random)
        default: Int.random(in: 0...most, using: &random)
        }
      return form == .beforeCap ? min(drawn, cap) : drawn
    }

    var trace: Trace {
      Trace(
        header: TraceHeader(tool: "test", source: .tap, unit: .us, clock: .continuous, at: .client),
        lines: lines)
    }

    var inference: Inference {
      Inference(trace, .retry, slack: TimeSpan(microseconds: CapInferenceTests.slack))
    }

    private mutating func put(_ t: Int, _ event: TraceEvent) {
      lines.append(TraceLine(t: t, channel: Channel(.http, 1), generation: 1, event: event))
    }
  }

  @Test("what is told of cap and jitter is never untrue", arguments: 0..<4)
  func neverUntrue(block: UInt64) throws {
    var (told, open) = (0, 0)
    for seed in block * 100..<block * 100 + 100 {
      let client = Client(seed: seed)
      let inference = client.inference
      let name: Comment = "seed \(seed): \(client.kind) \(client.form) \(client.factor) \(client.retries)"
      if let kind = inference["jitterKind"], client.requests > 0 {
        #expect(kind.value == .untold || kind.value.allows(word: client.kind), name)
      }
      if let jitter = inference["jitter"], jitter.condition == client.kind {
        #expect(client.form == .uncapped || jitter.value.allows(word: client.form.rawValue), name)
        if jitter.value == .words(["beforeCap"]) {
          told += 1
          #expect(client.form == .beforeCap, name)
        } else if client.form == .beforeCap, client.kind == "equal" {
          open += 1
        }
      }
      // A cap that no wait came near holds nothing down.
      guard client.form != .uncapped, let cap = inference["cap", client.kind], client.longest * 2 > client.cap
      else { continue }
      #expect(cap.value.allows(span: client.cap), "\(name) \(cap.value) \(client.cap)")
    }
    #expect(told + open > 0, "\(told) \(open)")
  }

  @Test("many waits at the cap tell that it stands behind the jitter")
  func heap() throws {
    var told = 0
    for seed in 0..<10 as Range<UInt64> {
      let client = Client(seed: seed, kind: "equal", form: .beforeCap, retries: 8, requests: 12)
      let inference = client.inference
      guard let jitter = inference["jitter", "equal"], jitter.value == .words(["beforeCap"]) else { continue }
      told += 1
      #expect(jitter.record == nil)
      #expect(jitter.remark?.hasSuffix(" recordings") == true)
      guard case .span(let low?, let high?) = inference["cap", "equal"]?.value else {
        Issue.record("no cap")
        return
      }
      #expect(low <= client.cap && client.cap <= high && high - low <= Self.slack + 2_000)
    }
    #expect(told > 4, "\(told)")
  }

  @Test("few retries, waits that are made random last, and full jitter stay as they are")
  func notTold() throws {
    func words(_ client: Client, _ kind: String = "equal") -> InferredValue.Value? {
      client.inference["jitter", kind]?.value
    }
    for seed in 0..<8 as Range<UInt64> {
      let few = Client(seed: seed, kind: "equal", form: .beforeCap, retries: 3, requests: 1)
      #expect(words(few) != .words(["beforeCap"]))
      let last = Client(seed: seed, kind: "equal", form: .afterCap, retries: 8, requests: 12)
      #expect(words(last) != .words(["beforeCap"]))
      let full = Client(seed: seed, kind: "full", form: .afterCap, retries: 8, requests: 12)
      #expect(full.inference["jitter"] == nil)
    }
  }
}
