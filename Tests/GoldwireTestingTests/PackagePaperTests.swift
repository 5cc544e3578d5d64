import Foundation
import Testing

/// What docs/package.md shows is compiled and run here, and the products that it names are there.
@Suite struct PackagePaperTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: tests.appending(path: path), encoding: .utf8)
  }

  /// The blocks of Swift on the page, but for the manifest.
  private static func blocks() throws -> [String] {
    try text("../../docs/package.md").components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.hasPrefix("// Package.swift") }
  }

  @Test func theExamplesAreThoseThatAreRun() throws {
    let files = ["GoldenExampleTests.swift", "GoldenTests.swift"]
    let blocks = try Self.blocks()
    #expect(blocks.count == files.count)
    for (file, block) in zip(files, blocks) {
      let code = try Self.text(file).split(separator: "\n", maxSplits: 1).last
      #expect(code.map(String.init) == block, "\(file)")
    }
  }

  @Test func theProductsAreThoseOfThePackage() throws {
    let page = try Self.text("../../docs/package.md")
    let manifest = try Self.text("../../Package.swift")
    let products = Set(page.matches(of: /`(Goldwire\w+)`|"(Goldwire\w+)"/).compactMap { $0.1 ?? $0.2 })
    #expect(products.count == 8)
    for product in products {
      #expect(manifest.contains(".library(name: \"\(product)\""), "\(product)")
    }
    #expect(page.contains("iOS 26") && manifest.contains(".iOS(.v26)"))
    #expect(page.contains("Swift 6.2") && manifest.hasPrefix("// swift-tools-version: 6.2\n"))
  }
}
