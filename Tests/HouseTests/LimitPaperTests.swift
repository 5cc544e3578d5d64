import Testing

/// The page of limits says what the code says.
@Suite struct LimitPaperTests {
  private struct Limit: Hashable, CustomStringConvertible {
    let name: String
    let value: String
    var description: String { "\(name) \(value)" }
  }

  private static let modules = [
    "GoldwireBytes", "GoldwirePackets", "GoldwireProtocols", "GoldwireCapture", "GoldwireTrace",
    "GoldwireCommand",
  ]

  /// The limits of every type that is named so, in the modules that read what others wrote.
  private static func written() throws -> [Limit] {
    var limits: [Limit] = []
    for path in Repository.files("Sources", suffix: ".swift")
    where modules.contains(where: { path.contains("/\($0)/") || path.hasPrefix("\($0)/") }) {
      var isInside = false
      var indent = 0
      for line in try Repository.lines(path) {
        let words = line.split(separator: " ")
        if let place = words.firstIndex(of: "struct"), place + 1 < words.count,
          words[place + 1].prefix(while: \.isLetter).hasSuffix("Limits")
            || words[place + 1].prefix(while: { $0.isLetter || $0.isNumber }).hasSuffix("Limits")
        {
          isInside = true
          indent = line.prefix { $0 == " " }.count
        } else if isInside, line == String(repeating: " ", count: indent) + "}" {
          isInside = false
        } else if isInside {
          limits += Self.limits(in: String(line))
        }
      }
    }
    return limits
  }

  /// A stored limit with its value, or those of an initialiser's parameters.
  private static func limits(in line: String) -> [Limit] {
    let bare = line.trimmingPrefix { $0 == " " }
    if let rest = bare.wholeMatch(of: /public var (\w+)(?:: Int)? = ([^=]+)/) {
      return [Limit(name: String(rest.1), value: String(rest.2))]
    }
    guard !bare.hasPrefix("//") else { return [] }
    return bare.matches(of: /(\w+): Int = ([0-9_]+(?: << [0-9]+)?)/).map {
      Limit(name: String($0.1), value: String($0.2))
    }
  }

  private struct Row {
    let limit: Limit
    let crossing: Substring
    let test: Substring
  }

  private static func rows() throws -> [Row] {
    try Repository.lines("docs/limits.md").compactMap { line in
      guard let row = line.wholeMatch(of: /\| `(\w+)` \| ([^|]+) \| ([^|]+) \| (\w+) \|/) else { return nil }
      return Row(limit: Limit(name: String(row.1), value: String(row.2)), crossing: row.3, test: row.4)
    }
  }

  @Test func thePageHasEachLimitWithItsValueAndNoOther() throws {
    let (code, page) = (try Self.written(), try Self.rows().map(\.limit))
    #expect(code.count > 60)
    #expect(code.filter { !page.contains($0) } == [], "not on the page")
    #expect(page.filter { !code.contains($0) } == [], "not in the code")
    #expect(code.count == page.count)
  }

  @Test func eachLimitHasATestAndSaysWhatItsCrossingLooksLike() throws {
    let files = Repository.files("Tests", suffix: ".swift").compactMap {
      $0.split(separator: "/").last?.dropLast(6)
    }
    for row in try Self.rows() {
      #expect(files.contains(row.test), "\(row.limit)")
      #expect(row.crossing.count > 5, "\(row.limit)")
    }
  }

  @Test func eachLimitSaysWhatItLimits() throws {
    for path in Repository.files("Sources", suffix: "Limits.swift") {
      let lines = try Repository.lines(path)
      for (index, line) in lines.enumerated() where line.contains("public var ") && index > 0 {
        #expect(lines[index - 1].contains("/// "), "\(path):\(index + 1)")
      }
    }
  }
}
