import GoldwireReplay
import GoldwireTrace
import Testing

/// The words of `conform` name the layer at fault of an event stream.
@Suite struct StreamDiagnosisTests {
  /// A stream that was cut after its first event, and what follows.
  private static func words(_ rest: String) throws -> String {
    let text = """
      {"goldwire":1,"tool":"t","source":"tap","unit":"ms","clock":"continuous","at":"client","inForce":{"stream":{}},"inForceBy":"driver"}
      {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
      {"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}
      {"t":2,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":3}
      {"t":3,"ch":"sse1","gen":1,"ev":"sse.handled","n":1,"ok":true}
      {"t":3,"ch":"sse1","ev":"sse.commit","cursor":"e1"}
      {"t":4,"ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e2","bytes":3}
      {"t":5,"ch":"sse1","gen":1,"ev":"sse.handled","n":2,"ok":true}
      {"t":5,"ch":"sse1","ev":"sse.commit","cursor":"e2"}
      {"t":6,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}
      \(rest)
      {"t":9000,"ev":"rec.end","why":"stopped"}

      """
    let trace = try Trace(bytes: Array(text.utf8))
    return try Conformance(trace, MachineParameters(.stream, [:])).text()
  }

  private static let open =
    #"{"t":3007,"ch":"sse1","gen":2,"ev":"sse.open","status":200,"type":"text/event-stream"}"#

  @Test(arguments: ["", #","cursor":"e1""#]) func anAbsentOrOldCursorIsTheClients(_ cursor: String) throws {
    let words = try Self.words(#"{"t":3006,"ch":"sse1","gen":2,"ev":"sse.connect"\#(cursor)}"#)
    #expect(words.contains("layer at fault: the client: sse1#2 (line 11)"), "\(words)")
    #expect(words.contains("though e2 was committed"))
  }

  @Test func eventsFromTheStartAreTheServersFilter() throws {
    let words = try Self.words(
      """
      {"t":3006,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
      \(Self.open)
      {"t":3008,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e1","bytes":3}
      """)
    let finding = "layer at fault: the server's filter: sse1#2 (line 13) asked from e2, and got e1 again"
    #expect(words.contains(finding), "\(words)")
  }

  @Test func anEffectTwiceIsTheDeduplication() throws {
    let words = try Self.words(
      """
      {"t":3006,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
      \(Self.open)
      {"t":3008,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e3","bytes":3}
      {"t":3009,"ch":"sse1","gen":2,"ev":"sse.handled","n":1,"ok":true}
      {"t":3010,"ch":"sse1","ev":"sse.commit","cursor":"e3"}
      {"t":3011,"ch":"sse1","gen":2,"ev":"sse.event","n":2,"id":"e3","bytes":3}
      {"t":3012,"ch":"sse1","gen":2,"ev":"sse.handled","n":2,"ok":true}
      """)
    let finding = "layer at fault: the deduplication: sse1#2 (line 17) handled e3 again, after line 14"
    #expect(words.contains(finding), "\(words)")
  }

  @Test func whatIsAsItShouldBeNamesNoLayer() throws {
    let words = try Self.words(
      """
      {"t":3006,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
      \(Self.open)
      {"t":3008,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e3","bytes":3}
      {"t":3009,"ch":"sse1","gen":2,"ev":"sse.handled","n":1,"ok":true}
      {"t":3010,"ch":"sse1","ev":"sse.commit","cursor":"e3"}
      """)
    #expect(!words.contains("layer at fault"), "\(words)")
  }

  /// An event whose handler failed comes again by right.
  @Test func whereNoCommitIsToldWhatWasHandledIsCommitted() throws {
    let lines = [
      "0 sse1#1 sse.connect", "1 sse1#1 sse.open status=200 type=text/event-stream",
      "2 sse1#1 sse.event n=1 id=e1 bytes=3",
      "3 sse1#1 sse.handled n=1 ok=true", "4 sse1#1 sse.cut cause=eof dir=in partial=0",
      "3004 sse1#2 sse.connect cursor=e1", "3005 sse1#2 sse.open status=200 type=text/event-stream",
      "9000 rec.end why=stopped",
    ]
    let written = try Written(lines: lines).trace()
    let words = try Conformance(written, MachineParameters(.stream, [:])).text()
    #expect(!words.contains("layer at fault"), "\(words)")
  }

  @Test func aFailedHandlersEventIsNobodysFault() throws {
    let words = try Self.words(
      """
      {"t":3006,"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e2"}
      \(Self.open)
      {"t":3008,"ch":"sse1","gen":2,"ev":"sse.event","n":1,"id":"e3","bytes":3}
      {"t":3009,"ch":"sse1","gen":2,"ev":"sse.handled","n":1,"ok":false}
      {"t":3009,"ch":"sse1","gen":2,"ev":"sse.cut","cause":"local","dir":"out","partial":0}
      {"t":6009,"ch":"sse1","gen":3,"ev":"sse.connect","cursor":"e2"}
      {"t":6010,"ch":"sse1","gen":3,"ev":"sse.open","status":200,"type":"text/event-stream"}
      {"t":6011,"ch":"sse1","gen":3,"ev":"sse.event","n":1,"id":"e3","bytes":3}
      {"t":6012,"ch":"sse1","gen":3,"ev":"sse.handled","n":1,"ok":true}
      {"t":6012,"ch":"sse1","ev":"sse.commit","cursor":"e3"}
      """)
    #expect(!words.contains("layer at fault"), "\(words)")
  }

  /// A golden with an event that a parser once made of half a block.
  @Test func onlyTheLastEventIsTheParserAtTheEnd() throws {
    let folder = try Folder()
    try folder.write(
      """
      {"goldwire":1,"tool":"t","source":"written","unit":"ms","clock":"virtual","at":"client"}
      {"t":0,"ch":"sse1","gen":1,"ev":"sse.connect"}
      {"t":1,"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}
      {"t":2,"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":3}
      {"t":3,"ch":"sse1","gen":1,"ev":"sse.handled","n":1,"ok":true}
      {"t":6,"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":12}
      {"t":9,"ev":"rec.end","why":"written"}

      """, to: "half.jsonl")
    _ = try folder.run("half.jsonl", recordsMissing: true)
    let golden = "half.stream.golden.jsonl"
    let commit = #"{"t":3,"ch":"sse1","gen":1,"do":"commit","cursor":"e1"}"#
    try folder.edit(
      golden, commit, commit + "\n" + #"{"t":6,"ch":"sse1","gen":1,"do":"deliver","n":2,"id":"e2"}"#)
    let text = try folder.run("half.jsonl").text()
    #expect(text.contains("layer at fault: the parser at the end of the stream: sse1#1 (line 6)"), "\(text)")
  }
}
