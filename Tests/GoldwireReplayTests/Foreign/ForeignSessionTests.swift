import GoldwireReplay
import GoldwireTrace
import Synchronization
import Testing

/// Whatever comes in place of a reply is one line that names the command, and nothing more is asked.
@Suite struct ForeignSessionTests {
  /// Gives one reply after the other, then the last for ever.
  private final class Scripted: ForeignLink {
    private let replies: [String]
    private let asked = Mutex(0)
    private let gone = Mutex(false)

    init(_ replies: String...) { self.replies = replies }

    var count: Int { asked.withLock { $0 } }
    var isAbandoned: Bool { gone.withLock { $0 } }

    func abandon() { gone.withLock { $0 = true } }

    func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
      let index = asked.withLock { count in
        count += 1
        return count - 1
      }
      return Array(replies[min(index, replies.count - 1)].utf8)
    }
  }

  private static let hello = #"{"goldwire":1,"machine":"heartbeat"}"#

  private static func trace() throws -> Trace {
    try Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "100 ws1#1 ws.ping dir=out id=1",
      "110 ws1#1 ws.pong dir=in id=1"
    ).trace()
  }

  @Test(
    "what is no greeting is refused at once",
    arguments: [
      "", "hello", "{}", #"{"goldwire":2,"machine":"heartbeat"}"#, #"{"goldwire":1}"#,
      #"{"goldwire":1,"machine":"toaster"}"#, #"{"goldwire":1,"machine":"heartbeat","copies":1}"#,
    ])
  func greetings(reply: String) throws {
    let link = Scripted(reply)
    let error = #expect(throws: ReplayError.self) { try ForeignSession(link, name: "exec:x") }
    #expect(error?.message.hasPrefix("exec:x: ") == true)
    #expect(error?.message.contains("\n") == false)
    #expect(link.isAbandoned)
  }

  @Test(
    "what is no reply ends the conversation, and is told once",
    arguments: [
      "", "nonsense", "[]", #"{"do":5}"#, #"{"do":[{"gen":1}]}"#, #"{"do":[{}]}"#,
      #"{"do":[{"do":"bark","gen":1}]}"#,
      #"{"do":[{"do":"ping"}]}"#, #"{"do":[{"do":"ping","gen":1,"t":5}]}"#, #"{"wake":"soon"}"#,
      #"{"wake":1.5}"#, #"{"do":[{"do":"close","gen":1,"why":"hunter2Secret99"}]}"#,
      #"{"do":[{"do":"ping","gen":0}]}"#, #"{"do":[{"do":"ping","gen":99}]}"#,
      #"{"do":[{"do":"ping","gen":1,"why":"refused"}]}"#, #"{"do":[{"do":"send","try":1}]}"#,
      #"{"more":1}"#, #"{"error":"out of order"}"#,
      #"{"do":["# + [String](repeating: #"{"do":"ping","gen":1}"#, count: 65).joined(separator: ",") + "]}",
    ])
  func replies(reply: String) throws {
    let link = Scripted(Self.hello, "{}", "{}", reply)
    var options = ReplayOptions(tick: .exact)
    options.foreign = ForeignSource(try ForeignSession(link, name: "exec:x"))
    let trace = try Self.trace()
    let parameters = try MachineParameters.quick()
    let error = #expect(throws: ReplayError.self) {
      try TraceReplay.replay(trace, parameters, options: options)
    }
    #expect(error?.message.hasPrefix("exec:x: ") == true)
    #expect(error?.message.contains("out of order") == false)
    #expect(error?.message.contains("hunter2") == false)
    #expect(link.isAbandoned || reply.contains("99}") || reply == #"{"do":[{"do":"ping"}]}"#)
    // The greeting, two machines, since one begins anew, and the event that was answered wrongly: nothing after it.
    #expect(link.count == 4)
  }

  @Test("a machine that asks to be woken at once for ever is at fault, however it is asked")
  func endless() throws {
    for isGate in [false, true] {
      var options = ReplayOptions(tick: .exact, isGate: isGate)
      options.foreign = ForeignSource(
        try ForeignSession(Scripted(Self.hello, "{}", #"{"wake":0}"#), name: "exec:x"))
      let trace = try Self.trace()
      let error = #expect(throws: ReplayError.self) {
        try TraceReplay.replay(trace, .quick(), options: options)
      }
      #expect(
        error?.message
          == "exec:x: asks to be woken without end at one instant; this is a fault of the machine")
    }
  }

  /// Asks to be woken a moment after each event, and may act on it.
  private struct Restless: ForeignLink {
    var copies = true
    var acts = ""

    func abandon() {}

    func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
      let text = String(decoding: line, as: UTF8.self)
      if text.contains("goldwire") {
        return Array(#"{"goldwire":1,"machine":"heartbeat","copies":\#(copies)}"#.utf8)
      }
      guard let at = text.firstRange(of: "\"at\":") else { return Array("{}".utf8) }
      let now = Int(text[at.upperBound...].prefix { $0.isNumber }) ?? 0
      let does = text.contains("tick") ? acts : ""
      return Array(#"{"do":[\#(does)],"wake":\#(now + 1)}"#.utf8)
    }
  }

  private static func fault(
    of link: Restless, isGate: Bool = false, _ change: (inout ForeignLimits) -> Void
  ) throws -> String? {
    let trace = try Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "900 ws1#1 ws.ping dir=out id=1"
    ).trace()
    var limits = ForeignLimits()
    change(&limits)
    var options = ReplayOptions(tick: .exact, isGate: isGate)
    options.foreign = ForeignSource(try ForeignSession(link, name: "exec:x", limits: limits))
    let quick = try MachineParameters.quick()
    do throws(ReplayError) {
      _ = try TraceReplay.replay(trace, quick, options: options)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("ticks without an event between them, those told again, and all actions are bounded")
  func livelocks() throws {
    #expect(ForeignLimits().ticks == 100_000)
    #expect(try Self.fault(of: Restless()) { $0.ticks = 1_000 } == nil)
    for isGate in [false, true] {
      let ticks = try Self.fault(of: Restless(), isGate: isGate) { $0.ticks = 100 }
      #expect(ticks?.contains("woken more than 100 times without an event between") == true, "\(isGate)")
    }
    let second = try Self.fault(of: Restless()) { $0.ticksWithinASecond = 800 }
    #expect(second?.contains("woken more than 800 times within a second") == true)
    #expect(ForeignLimits().ticksWithinASecond == 2_000)
    let again = try Self.fault(of: Restless(copies: false), isGate: true) { $0.ticksToldAgain = 100 }
    #expect(again?.contains("too often to be told all again") == true)
    let ping = #"{"do":"ping","gen":1}"#
    let acts = try Self.fault(of: Restless(acts: ping)) { $0.actionsInAll = 100 }
    #expect(acts?.contains("does more than 100 actions") == true)
  }

  /// Pings 100 after the second connection has opened, and names a connection.
  private struct Naming: ForeignLink {
    var generation: Int

    func abandon() {}

    func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
      let text = String(decoding: line, as: UTF8.self)
      if text.contains("goldwire") {
        return Array(#"{"goldwire":1,"machine":"heartbeat","copies":true}"#.utf8)
      }
      if text.contains(#""event":"opened","gen":2"#) { return Array(#"{"wake":300}"#.utf8) }
      let isDue = text.contains(#""at":300,"event":"tick""#)
      return Array((isDue ? #"{"do":[{"do":"ping","gen":\#(generation)}]}"# : "{}").utf8)
    }
  }

  @Test("a ping of another connection than the recorded one is no conformance")
  func connections() throws {
    let trace = try Written(
      "0 ws1#1 ws.connect", "0 ws1#1 ws.open status=101", "100 ws1#1 ws.end cause=fin dir=in",
      "200 ws1#2 ws.connect", "200 ws1#2 ws.open status=101", "300 ws1#2 ws.ping dir=out id=1"
    ).trace()
    for (generation, departures) in [(2, []), (1, [Departure.Kind.differs])] {
      let source = ForeignSource(try ForeignSession(Naming(generation: generation), name: "exec:x"))
      let conformance = try Conformance(trace, .quick(), foreign: source)
      #expect(conformance.acts == 1)
      #expect(conformance.departures.map(\.kind) == departures)
    }
    let none = ForeignSource(try ForeignSession(Naming(generation: 3), name: "exec:x"))
    #expect(throws: ReplayError.self) { try Conformance(trace, .quick(), foreign: none) }
  }

  @Test("a machine is not asked as another, and more than it may keep are refused")
  func others() throws {
    let source = ForeignSource(try ForeignSession(Scripted(Self.hello, "{}"), name: "exec:x"))
    var options = ReplayOptions(tick: .exact)
    options.foreign = source
    let (trace, retry, quick) = (
      try Self.trace(), try MachineParameters.of(.retry), try MachineParameters.quick()
    )
    #expect(throws: ReplayError.self) { try TraceReplay.replay(trace, retry, options: options) }
    var limits = ForeignLimits()
    limits.machines = 0
    options.foreign = ForeignSource(
      try ForeignSession(Scripted(Self.hello, "{}"), name: "exec:x", limits: limits))
    let error = #expect(throws: ReplayError.self) { try TraceReplay.replay(trace, quick, options: options) }
    #expect(error?.message.contains("more than 0 machines at once") == true)
  }

  @Test("an event's line and the instants in it are as the page has them")
  func spelling() throws {
    let link = SpokenMachines(.heartbeat, copies: true)
    var options = ReplayOptions(tick: .exact)
    options.foreign = ForeignSource(try ForeignSession(link, name: "spoken"))
    _ = try TraceReplay.replay(Self.trace(), .quick(), options: options)
    #expect(
      Array(link.said.prefix(6)) == [
        #"{"goldwire":1}"#,
        #"{"new":1,"unit":"ms","parameters":{"interval":"100ms","timeout":"1s","connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}"#,
        #"{"new":2,"unit":"ms","parameters":{"interval":"100ms","timeout":"1s","connectTimeout":"off","policy":"pongOnly","cadence":"afterPong"}}"#,
        #"{"to":2,"at":0,"event":"connect","gen":1}"#, #"{"to":2,"at":0,"event":"opened","gen":1}"#,
        #"{"to":2,"at":100,"event":"tick"}"#,
      ])
  }
}
