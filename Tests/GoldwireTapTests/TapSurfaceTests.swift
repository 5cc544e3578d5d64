import Foundation
import Testing

/// What the tap's calls take, read from the sources: nothing that an app could put a secret into.
@Suite struct TapSurfaceTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    + "/Sources/GoldwireTap/"

  /// The public declarations of functions and initializers, each on one line.
  private func declarations(_ folder: String) throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    var found: [String] = []
    for file in files {
      let text = try String(contentsOfFile: folder + file, encoding: .utf8)
      var rest = text[...]
      while let range = rest.range(of: "public ") {
        rest = rest[range.upperBound...]
        let head = rest.prefix { $0 != "{" && $0 != "=" }
        let declaration = rest.prefix(upTo: rest.firstIndex(of: "{") ?? rest.endIndex)
        guard head.contains("func ") || head.contains("init(") else { continue }
        found.append(declaration.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
    }
    return found
  }

  /// The parameters of a declaration whose type is that, by name.
  private func parameters(of declaration: String, typed types: [String]) -> [String] {
    declaration.split(whereSeparator: { "(,".contains($0) }).compactMap { part in
      let pieces = part.split(separator: ":", maxSplits: 1)
      guard pieces.count == 2 else { return nil }
      let type = pieces[1].split(whereSeparator: { " )=?".contains($0) }).first ?? ""
      return types.contains(String(type)) ? String(pieces[0].split(separator: " ").last ?? "") : nil
    }
  }

  @Test("of text and of bytes an event takes nothing")
  func text() throws {
    let texts = [
      "String", "Substring", "StaticString", "Data", "[UInt8]", "Span<UInt8>", "URL", "Any", "Error", "some",
      "any",
    ]
    for declaration in try declarations(Self.folder + "API/") {
      #expect(parameters(of: declaration, typed: texts) == [], "\(declaration)")
    }
  }

  @Test("of numbers an event takes those that the protocols have: sizes, statuses, close codes")
  func numbers() throws {
    let numbers = ["Int", "UInt", "Int64", "UInt64", "UInt32", "Double", "Float", "Duration"]
    var names: Set<String> = []
    for declaration in try declarations(Self.folder + "API/") {
      names.formUnion(parameters(of: declaration, typed: numbers))
    }
    #expect(names == ["bytes", "status", "code", "partial"])
  }

  @Test("the tap itself takes the path of its file, and nothing else of text")
  func paths() throws {
    var names: Set<String> = []
    for declaration in try declarations(Self.folder) {
      names.formUnion(
        parameters(of: declaration, typed: ["String", "Substring", "[UInt8]", "Data", "any", "some"]))
    }
    #expect(names == ["path"])
  }
}
