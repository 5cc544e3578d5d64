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
      #"{"wake":1.5}"#,
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
    #expect(link.isAbandoned || reply.contains("bark") || reply == #"{"do":[{"do":"ping"}]}"#)
    // The greeting, two machines, since one begins anew, and the event that was answered wrongly: nothing after it.
    #expect(link.count == 4)
  }

  @Test("a machine that asks to be woken without end is found, as a built-in one would be")
  func endless() throws {
    var options = ReplayOptions(tick: .exact)
    options.foreign = ForeignSource(
      try ForeignSession(Scripted(Self.hello, "{}", #"{"wake":0}"#), name: "exec:x"))
    let replayed = try TraceReplay.replay(Self.trace(), .quick(), options: options).replayed
    #expect(replayed.runaway != nil)
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
