import GoldwireTrace
import Testing

@Suite struct ParameterTests {
  private static let full = """
    {"heartbeat":{"interval":"30s","timeout":"5s","connectTimeout":"off","policy":"pongOnly","cadence":"fixed"},\
    "retry":{"base":"1s","factor":2,"cap":"30s","jitter":"afterCap","count":3,"statuses":[429,503],"transport":false,\
    "oldDates":true},\
    "stream":{"delay":"3s","least":"100ms","most":"60s","idle":"off","dedup":"idAndContent","window":65536,\
    "failures":5,"retryStatuses":false}}
    """

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test("every parameter comes back as it was written, in the order of the vocabulary")
  func roundTrip() throws {
    let table = try ParameterTable(JSONValue.parse(Array(Self.full.utf8)))
    var bytes: [UInt8] = []
    bytes.append(table)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.full)
    #expect(table[.retry]?[.statuses] == .numbers([429, 503]))
    #expect(table[.stream]?[.idle] == .word(.off))
    for machine in MachineName.allCases {
      #expect(Set(machine.parameters) == Set(table[machine]?.keys.map { $0 } ?? []))
      var one: [UInt8] = []
      one.append(table, of: machine)
      #expect(try ParameterTable(JSONValue.parse(one), of: machine)[machine] == table[machine])
    }
  }

  struct Bad: CustomTestStringConvertible {
    var text: String
    var message: String
    var testDescription: String { text }
    init(_ text: String, _ message: String) {
      self.text = text
      self.message = message
    }
  }

  static let badTables: [Bad] = [
    Bad("{\"hart\":{}}", "line 1, column 2: expected a machine: \"heartbeat\", \"retry\" or \"stream\""),
    Bad(
      "{\"heartbeat\":{\"cap\":\"1s\"}}",
      "line 1, column 15: expected a parameter of heartbeat: interval, timeout, connectTimeout, policy, cadence"
    ),
    Bad(
      "{\"heartbeat\":{\"interval\":30}}",
      "line 1, column 26: expected for \"interval\" a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""
    ),
    Bad(
      "{\"heartbeat\":{\"interval\":\"0s\"}}",
      "line 1, column 26: expected for \"interval\" a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""
    ),
    Bad(
      "{\"heartbeat\":{\"interval\":\"off\"}}",
      "line 1, column 26: expected for \"interval\" a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""
    ),
    Bad(
      "{\"heartbeat\":{\"policy\":\"fixed\"}}",
      "line 1, column 24: expected for \"policy\" \"pongOnly\" or \"anyInboundIsLife\""),
    Bad(
      "{\"retry\":{\"statuses\":[429,429]}}",
      "line 1, column 22: expected for \"statuses\" whole numbers from 400 to 599, each once"),
    Bad(
      "{\"retry\":{\"statuses\":[\"429\"]}}",
      "line 1, column 22: expected for \"statuses\" whole numbers from 400 to 599, each once"),
    Bad("{\"retry\":{\"transport\":1}}", "line 1, column 23: expected for \"transport\" true or false"),
    Bad(
      "{\"retry\":{\"count\":1.5}}", "line 1, column 19: expected for \"count\" a whole number from 0 to 1000"
    ),
    Bad(
      "{\"stream\":{\"window\":0}}",
      "line 1, column 21: expected for \"window\" a whole number from 1 to 16777216"),
    Bad("[]", "line 1, column 1: expected an object"),
  ]

  @Test("what is not of the format is refused by place, key and expectation", arguments: badTables)
  func refused(bad: Bad) {
    #expect(message { _ = try ParameterTable(JSONValue.parse(Array(bad.text.utf8))) } == bad.message)
  }

  @Test("options give single values, lists and several at once")
  func options() throws {
    var table = ParameterTable()
    try table.set(option: "heartbeat.interval=30s,heartbeat.timeout=10s")
    try table.set(option: "retry.statuses=429,503,retry.transport=true,retry.count=4")
    try table.set(option: "stream.idle=off")
    try table.set(option: "heartbeat.interval=250ms")
    #expect(table[.heartbeat]?[.interval] == .span(TimeSpan(microseconds: 250_000)))
    #expect(table[.heartbeat]?[.timeout] == .span(TimeSpan(microseconds: 10_000_000)))
    #expect(table[.retry]?[.statuses] == .numbers([429, 503]))
    #expect(table[.retry]?[.transport] == .flag(true))
    #expect(table[.retry]?[.count] == .number(4))
    #expect(table[.stream]?[.idle] == .word(.off))
  }

  static let badOptions: [Bad] = [
    Bad("", "expected machine.key=value, as heartbeat.interval=30s"),
    Bad("interval=30s", "expected machine.key=value, as heartbeat.interval=30s"),
    Bad("canary.interval=30s", "expected a machine before the dot: \"heartbeat\", \"retry\" or \"stream\""),
    Bad(
      "heartbeat.canary=30s",
      "expected a parameter of heartbeat: interval, timeout, connectTimeout, policy, cadence"),
    Bad(
      "heartbeat.timeout=canary",
      "expected for heartbeat.timeout a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""),
    Bad(
      "heartbeat.timeout=30",
      "expected for heartbeat.timeout a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""),
    Bad(
      "heartbeat.timeout=5s,canary",
      "expected for heartbeat.timeout a positive duration with a suffix, as \"250ms\", \"30s\" or \"2m\""),
    Bad("retry.count=-1", "expected for retry.count a whole number from 0 to 1000"),
    Bad("retry.statuses=429,canary", "expected for retry.statuses whole numbers from 400 to 599, each once"),
    Bad("retry.transport=yes", "expected for retry.transport true or false"),
    Bad("stream.idle=5s,stream.idle=6s", "stream.idle is given twice; keep one"),
  ]

  @Test("a bad option names key and expectation, and changes nothing", arguments: badOptions)
  func refusedOption(bad: Bad) {
    var table = ParameterTable()
    let text = message { try table.set(option: "retry.count=1," + bad.text) }
    if bad.text.isEmpty {
      #expect(text != nil)
    } else if bad.text.contains("=") {
      #expect(text == bad.message)
    }
    #expect(message { try table.set(option: bad.text) } == bad.message)
    #expect(table == ParameterTable())
  }

  @Test("durations have a suffix, and the shortest spelling that keeps them whole")
  func spans() {
    #expect(TimeSpan("2m")?.description == "120s")
    #expect(TimeSpan("1500ms")?.description == "1500ms")
    #expect(TimeSpan("1000us")?.description == "1ms")
    for bad in ["", "5", "s", "-1s", "1.5s", "1 s", "9223372036854775807h", "\u{661}s", "1S"] {
      #expect(TimeSpan(bad) == nil, "\(bad)")
    }
  }
}
