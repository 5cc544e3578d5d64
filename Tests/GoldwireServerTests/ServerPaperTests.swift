import Foundation
import GoldwireServer
import GoldwireTrace
import Testing

/// The examples in the paper on the server are scripts.
@Suite struct ServerPaperTests {
  static let examples: [String] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/server.md")
    let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    return text.split(separator: "```json\n").dropFirst().compactMap { part in
      part.firstRange(of: "```").map { String(part[..<$0.lowerBound]) }
    }
  }()

  @Test func thereAreExamples() { #expect(Self.examples.count >= 5) }

  @Test(arguments: examples.indices) func anExampleIsRead(_ index: Int) {
    #expect(throws: Never.self) { try FaultScript(json: Array(Self.examples[index].utf8)) }
  }
}
