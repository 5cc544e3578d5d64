import GoldwireReplay
import GoldwireTrace
import Testing

/// What a recording seems to tell of a client, and does not.
@Suite struct DoubtfulInferenceTests {
  private static func infer(_ machine: MachineName, _ lines: [String]) throws -> Inference {
    try Inference(
      Written(lines: lines, source: "tap").trace(), machine, early: TimeSpan(microseconds: 2_000),
      slack: TimeSpan(microseconds: 250_000))
  }

  /// A client that pings after ten seconds and closes so long after each ping, by whom and with which code.
  private static func closes(_ waits: [Int], _ how: String) throws -> Inference {
    var lines: [String] = []
    for (index, wait) in waits.enumerated() {
      let (t, link) = (index * 100_000, "ws1#\(index + 1)")
      lines += [
        "\(t) \(link) ws.connect", "\(t) \(link) ws.open status=101",
        "\(t + 10_000) \(link) ws.ping dir=out id=1", "\(t + 10_040) \(link) ws.pong dir=in id=1",
        "\(t + 20_040) \(link) ws.ping dir=out id=2", "\(t + 20_040 + wait) \(link) ws.close dir=out \(how)",
      ]
    }
    return try infer(.heartbeat, lines + ["900000 rec.end why=stopped"])
  }

  @Test(
    "one close that may have been the user's bounds nothing from above",
    arguments: ["code=1000 by=unknown", "code=1001 by=unknown", "code=4001 by=unknown", "by=unknown"])
  func alone(how: String) throws {
    let inference = try Self.closes([3_333], how)
    #expect(inference["timeout"]?.value == .span(low: 3_083, high: nil))
    #expect(inference["timeout"]?.remark?.contains("one close, which may have been the user's") == true)
    #expect(inference["timeout"]?.record?.contains("once more") == true)
    #expect(inference.obstacle() == "timeout is not bounded from both sides")
    #expect(inference["policy"]?.value == .words(["pongOnly", "anyInboundIsLife"]))
    #expect(inference["timeout"]?.taken == .span(TimeSpan(microseconds: 3_300_000)))
    let apart = try Self.closes([3_333, 8_000], how)
    #expect(apart["timeout"]?.taken == nil && apart.mismatch?.names == [.timeout])
    #expect(apart["timeout"]?.value == .span(low: 7_750, high: nil))
    #expect(apart["timeout"]?.remark?.contains("2 closes, no two alike") == true)
  }

  @Test("two alike, one by the machine, and one with 1011 do bound it")
  func borneOut() throws {
    #expect(
      try Self.closes([3_000, 3_100], "code=1000 by=unknown")["timeout"]?.value
        == .span(low: 2_850, high: 3_002))
    for how in ["code=1001 by=machine", "code=1011 by=unknown"] {
      #expect(try Self.closes([3_000], how)["timeout"]?.value == .span(low: 2_750, high: 3_002))
    }
  }

  @Test("a handshake that was given up once may have been cancelled")
  func handshake() throws {
    let inference = try Self.infer(
      .heartbeat,
      ["0 ws1#1 ws.connect", "4000 ws1#1 ws.close dir=out code=1000 by=unknown", "60000 rec.end why=stopped"])
    #expect(inference["connectTimeout"]?.value == .span(low: 3_750, high: nil))
    #expect(inference["connectTimeout"]?.taken == nil)
  }

  /// Requests that are answered by 503 until each wait has passed.
  private static func waits(_ requests: [[Int]]) throws -> Inference {
    var (t, lines) = (0, [String]())
    for (req, waits) in requests.enumerated() {
      for (index, wait) in (waits + [0]).enumerated() {
        let status = index < waits.count ? 503 : 200
        lines.append("\(t) http1#1 http.send req=\(req + 1) try=\(index + 1) method=GET")
        lines.append("\(t) http1#1 http.response req=\(req + 1) try=\(index + 1) status=\(status)")
        t += wait
      }
      t += 20_000
    }
    return try infer(.retry, lines)
  }

  @Test("waits that the machine cannot have are taken for none of its own")
  func mismatches() throws {
    let linear = try Self.waits(Array(repeating: [1_000, 2_000, 3_000, 4_000, 5_000], count: 3))
    #expect(linear.mismatch?.reason.hasPrefix("no whole factor explains the waits") == true)
    #expect(linear.values.allSatisfy { !["base", "factor"].contains($0.name) || $0.taken == nil })
    let full = try Self.waits([[798, 353, 3_386, 869], [268, 439, 3_862, 7_500], [30, 1_700, 40, 6_000]])
    #expect(full.mismatch?.reason.hasPrefix("the waits spread wider") == true)
    #expect(full.obstacle()?.hasPrefix("the waits spread wider") == true && !full.isBounded)
    let doubled = try Self.waits(Array(repeating: [1_000, 2_000, 4_000], count: 3))
    #expect(doubled.mismatch == nil && doubled["factor", "none"]?.taken == .number(2))
  }

  @Test("channels whose bounds do not meet are not taken together; those that meet are")
  func channels() throws {
    func two(_ other: Int) throws -> Inference {
      var lines: [(t: Int, text: String)] = []
      for (number, interval) in [(1, 30_000), (2, other)] {
        lines += [(0, "ws\(number)#1 ws.connect"), (80, "ws\(number)#1 ws.open status=101")]
        for ping in 1...4 {
          let t = 80 + ping * (interval + 40) - 40
          lines += [
            (t, "ws\(number)#1 ws.ping dir=out id=\(ping)"),
            (t + 40, "ws\(number)#1 ws.pong dir=in id=\(ping)"),
          ]
        }
      }
      lines.append((130_000, "rec.end why=stopped"))
      return try Self.infer(
        .heartbeat,
        lines.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }
          .map { "\($0.element.t) \($0.element.text)" })
    }
    let apart = try two(20_000)
    #expect(apart.mismatch?.names == [.interval])
    #expect(apart.mismatch?.reason.hasSuffix("19.75s to 20.002s on ws2, 29.75s to 30.002s on ws1") == true)
    #expect(apart["interval"]?.taken == nil && apart.obstacle() == apart.mismatch?.reason)
    let alike = try two(30_100)
    #expect(alike.mismatch == nil && alike["interval"]?.taken != nil)
  }

  @Test("a value that is longer than the longest recording is still one that a parameter can say")
  func clamped() throws {
    let inference = try Self.infer(
      .heartbeat,
      [
        "0 ws1#1 ws.connect", "80 ws1#1 ws.open status=101", "30080 ws1#1 ws.ping dir=out id=1",
        "30120 ws1#1 ws.pong dir=in id=1", "9007199254740991 rec.end why=stopped",
      ])
    _ = try #require(inference.parameters).heartbeat(.ms)
  }
}
