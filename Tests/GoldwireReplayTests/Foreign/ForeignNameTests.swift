import GoldwireReplay
import GoldwireTrace
import Synchronization
import Testing

/// What a reply names must have been told, or be the next that the machine makes by itself.
@Suite struct ForeignNameTests {
  /// Answers one event with actions, and all others with none.
  private final class Naming: ForeignLink {
    let machine: MachineName
    let event: String
    let actions: String
    let count = Mutex(0)

    init(_ machine: MachineName, at event: String, _ actions: String) {
      (self.machine, self.event, self.actions) = (machine, event, actions)
    }

    func abandon() {}

    func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
      count.withLock { $0 += 1 }
      let text = String(decoding: line, as: UTF8.self)
      if text.contains("goldwire") {
        return Array(#"{"goldwire":1,"machine":"\#(machine.rawValue)","copies":true}"#.utf8)
      }
      guard text.contains(event) else { return Array("{}".utf8) }
      // What it waits for belongs to a timer.
      return Array(#"{"do":[\#(actions)]}"#.utf8)
    }
  }

  private static func fault(_ link: Naming) throws -> String? {
    var options = ReplayOptions(tick: .exact)
    options.foreign = ForeignSource(try ForeignSession(link, name: "exec:x"))
    let (trace, parameters) = (try trace(link.machine), try CleanTraces.parameters(link.machine))
    do throws(ReplayError) {
      _ = try TraceReplay.replay(trace, parameters, options: options)
      return nil
    } catch {
      return error.message
    }
  }

  private static func trace(_ machine: MachineName) throws -> Trace {
    guard machine == .stream else { return try CleanTraces.trace(machine) }
    // The second connection is the recorded client's: only its events tell of it.
    return try Written(
      "0 sse1#1 sse.connect", "40 sse1#1 sse.open status=200 type=text/event-stream",
      "50 sse1#1 sse.event n=1 id=e1 bytes=6", "60 sse1#1 sse.cut cause=eof dir=in partial=0",
      "3060 sse1#2 sse.connect cursor=e1", "3100 sse1#2 sse.open status=200 type=text/event-stream",
      "3110 sse1#2 sse.event n=1 id=e2 bytes=8", "3112 sse1#2 sse.event n=2 bytes=8",
      "4000 rec.end why=written"
    ).trace()
  }

  @Test(
    "a stream's events, ids and connections",
    arguments: [
      (#"{"do":"deliver","n":2,"gen":2}"#, nil), (#"{"do":"deliver","n":2,"id":"e2"}"#, nil),
      (#"{"do":"skip","n":1,"gen":1}"#, nil), (#"{"do":"commit","cursor":"e1"}"#, nil),
      (#"{"do":"commit","cursor":""}"#, nil), (#"{"do":"connect","cursor":"e2","gen":3}"#, nil),
      (#"{"do":"deliver","n":3}"#, "names event 3, which did not come"),
      (#"{"do":"skip","n":2,"gen":1}"#, "names event 2, which did not come"),
      (#"{"do":"deliver","n":2,"id":"e3"}"#, "names e3, which it was not told"),
      (#"{"do":"commit","cursor":"e9"}"#, "names e9, which it was not told"),
      (#"{"do":"connect","cursor":"e9"}"#, "names e9, which it was not told"),
      (#"{"do":"connect","cursor":"e1","gen":1}"#, "acts on connection 1, which does not exist"),
      (#"{"do":"stop","why":"noContent","gen":3}"#, "acts on connection 3, which does not exist"),
    ] as [(String, String?)])
  func stream(actions: String, words: String?) throws {
    let fault = try Self.fault(Naming(.stream, at: #""gen":2,"n":2"#, actions))
    #expect(fault == words.map { "exec:x: \($0); this is a fault of the machine" })
  }

  @Test(
    "a request's sends",
    arguments: [
      (#"{"do":"wait","try":2,"for":10}"#, nil),
      (#"{"do":"send","try":2},{"do":"wait","try":3,"for":1}"#, nil),
      (#"{"do":"send","try":3}"#, "names send 3, where the latest is 1"),
      (#"{"do":"wait","try":77,"for":1}"#, "names send 77, where the latest is 1"),
      (#"{"do":"wait","try":2,"for":1},{"do":"send","try":3}"#, "names send 3, where the latest is 1"),
    ] as [(String, String?)])
  func retry(actions: String, words: String?) throws {
    let fault = try Self.fault(Naming(.retry, at: #""try":1,"status":503"#, actions))
    #expect(fault == words.map { "exec:x: \($0); this is a fault of the machine" })
  }

  @Test("mutants are tried only for as long as the conversation goes on")
  func perturb() throws {
    let link = Naming(.heartbeat, at: "opened", #"{"do":"ping","gen":9}"#)
    let source = ForeignSource(try ForeignSession(link, name: "exec:x"))
    #expect(throws: ReplayError.self) {
      try PerturbReport(
        CleanTraces.trace(.heartbeat), CleanTraces.parameters(.heartbeat), count: 1_000_000_000,
        foreign: source)
    }
    #expect(link.count.withLock { $0 } < 10)
  }
}
