import Foundation
import GoldwireCommand
import GoldwireTrace
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `goldwire serve` as a process of its own, and what it refuses.
@Suite(.timeLimit(.minutes(1))) struct ServeVerbTests {
  @Test(.enabled(if: BuiltCommand.path != nil)) func theFixtureAnswersWhoeverAsks() async throws {
    let folder = try RecordVerbTests.Folder()
    let path = folder.path + "/served.jsonl"
    let command = try BuiltCommand(["serve", "--script", "events", "-w", path])
    let line = try command.outputLine()
    let address = try #require(line.firstRange(of: "listening on ").map { line[$0.upperBound...] })
    #expect(address.hasPrefix("http://127.0.0.1:"))
    let url = try #require(URL(string: address + "/events?cut=1"))
    let (data, response) = try await URLSession.shared.data(from: url)
    #expect(String(decoding: data, as: UTF8.self) == "id: 1\ndata: queued\n\n")
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Cache-Control") == "no-store")
    command.signal(SIGTERM)
    #expect(try command.wait().status == 0)
    let trace = try Trace.load(path: path)
    #expect(trace.header.source == .serve)
    #expect(trace.header.at == .server)
    #expect(trace.lines.last?.event == .recEnd(why: .signal, counts: nil))
    #expect(trace.lines.contains { $0.event.kind == .sseEvent })
  }

  @Test(.enabled(if: BuiltCommand.path != nil)) func itEndsWithItsScript() throws {
    let folder = try RecordVerbTests.Folder()
    let script = try folder.write(Array(#"{"script":1,"ends":{"after":"1ms"},"rules":[]}"#.utf8), "a.json")
    let command = try BuiltCommand(["serve", "--script", script, "-w", "-"])
    #expect(try command.errorLine().hasPrefix("listening on http://127.0.0.1:"))
    let end = try command.wait()
    #expect(end.status == 0)
    let events = try Trace(bytes: Array(end.output.utf8)).lines.map(\.event)
    #expect(events == [.recEnd(why: .written, counts: nil)])
  }

  @Test(.enabled(if: BuiltCommand.path != nil)) func aTimeEndsItToo() throws {
    let command = try BuiltCommand(["serve", "--script", "chat", "--duration", "1ms", "--json"])
    #expect(try command.outputLine().hasPrefix(#"{"address":"127.0.0.1","port":"#))
    #expect(try command.wait().status == 0)
  }

  @Test func anErrorInAScriptIsOneLineWithItsPlace() throws {
    let folder = try RecordVerbTests.Folder()
    let script = try folder.write(Array("{\"script\":1,\n\"rules\":[{\"pth\":\"/\"}]}".utf8), "a.json")
    let run = TestRun(["serve", "--script", script])
    #expect(run.status == .failed)
    let start = "goldwire: \(script):2:11: expected one of the keys path, websocket, http, events; "
    #expect(run.errors.hasPrefix(start))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func aTraceWithoutAServersSideCannotBePlayed() throws {
    let folder = try RecordVerbTests.Folder()
    let text = """
      {"goldwire":1,"tool":"hand","source":"written","unit":"ms","clock":"virtual","at":"client"}
      {"t":0,"ev":"app.background"}

      """
    let trace = try folder.write(Array(text.utf8), "a.jsonl")
    let run = TestRun(["serve", "--play", trace])
    #expect(run.status == .failed)
    #expect(run.errors.contains("there is no server's side to play"))
  }

  @Test(
    arguments: [
      (["serve"], "what to serve?"), (["serve", "--script", "a", "--play", "b"], "exclude each other"),
      (["serve", "--script", "chat", "--port", "70000"], "up to 65535"),
      (["serve", "--script", "chat", "--scale", "0"], "from 0.0001 to 1000"),
      (["serve", "--script", "nosuch"], "the scripts that need no file are events, "),
      (["serve", "chat", "--script", "chat"], "'chat' is in no place that this verb knows"),
    ] as [([String], String)]) func wrongWordsAreToldInOneLine(_ words: [String], _ part: String)
  {
    let run = TestRun(words)
    #expect(run.status == .failed)
    #expect(run.errors.contains(part), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
