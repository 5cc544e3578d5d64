import Foundation
import GoldwireServer
import GoldwireTrace
import Testing

/// The examples in the paper on the server are scripts.
@Suite struct ServerPaperTests {
  static let page: String = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/server.md")
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  static let examples: [String] = {
    page.split(separator: "```json\n").dropFirst().compactMap { part in
      part.firstRange(of: "```").map { String(part[..<$0.lowerBound]) }
    }
  }()

  @Test func theServerInATestIsMadeAsThePageSays() async throws {
    let bytes = Array(#"{"script":1,"ends":{"after":"1ms"},"rules":[]}"#.utf8)
    // begin
    let server = try FaultServer(script: FaultScript(json: bytes))
    let url = "ws://127.0.0.1:\(server.port)/chat"
    await server.ended
    let trace: Trace = server.log
    // end
    #expect(url.hasSuffix("/chat"))
    #expect(trace.header.source == .serve)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let example =
      source.components(separatedBy: "    // begin\n").dropFirst().first?
      .components(separatedBy: "    // end\n").first ?? ""
    let lines = example.split(separator: "\n").map { String($0.drop { $0 == " " }) + "\n" }.joined()
    #expect(lines.hasPrefix("let server"))
    #expect(Self.page.contains("```swift\n" + lines + "```"))
  }

  @Test func thereAreExamples() { #expect(Self.examples.count >= 5) }

  @Test(arguments: examples.indices) func anExampleIsRead(_ index: Int) {
    #expect(throws: Never.self) { try FaultScript(json: Array(Self.examples[index].utf8)) }
  }
}
