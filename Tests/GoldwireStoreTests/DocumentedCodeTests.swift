import Foundation
import Testing

/// What the docs show is what `DocumentedCode` compiles.
@Suite(.timeLimit(.minutes(1))) struct DocumentedCodeTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  /// The text without blanks and line ends, which a formatter may move.
  private static func bare(_ text: Substring) -> String {
    text.filter { !$0.isWhitespace }
  }

  @Test(arguments: [("retry", 4), ("streams", 3)])
  func everyBlockIsCompiled(_ name: String, _ count: Int) throws {
    let docs = Self.tests.appending(path: "../../docs/\(name).md")
    let text = try String(contentsOf: docs, encoding: .utf8)
    let code = try String(contentsOf: Self.tests.appending(path: "DocumentedCode.swift"), encoding: .utf8)
    let compiled = Self.bare(Substring(code))
    let blocks = text.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "```").first
    }
    #expect(blocks.count == count)
    for block in blocks { #expect(compiled.contains(Self.bare(block)), "\(name): \(block)") }
  }

  @Test func theTestOfTheDocsPasses() async throws {
    try await DocumentedCode.tested(URL(filePath: "/orders"))
  }
}
