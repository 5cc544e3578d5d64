import Testing

/// The shape of the sources: sizes, and words that do not belong there.
@Suite struct SourceTidyTests {
  private static let swift =
    Repository.files("Sources", suffix: ".swift") + Repository.files("Tests", suffix: ".swift")
    + Repository.files("tools", suffix: ".swift")

  /// Text that people wrote: everything but traces and captures.
  private static let written =
    swift + ["Package.swift", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".ci/run"]
    + Repository.files("docs") + tools

  /// What a person runs by hand, without the inputs that the fuzzer keeps.
  private static let tools = Repository.files("tools").filter {
    !$0.hasPrefix("tools/fuzz/corpus/") && !$0.hasPrefix("tools/fuzz/failures/")
  }

  @Test func thereAreSources() { #expect(Self.swift.count > 40) }

  @Test func filesAreShort() throws {
    let long = try Self.swift.filter { try Repository.lines($0).count > 401 }
    #expect(long == [], "over 400 lines")
  }

  /// The formatter holds code to 110 columns; comments, and the data of tests, it leaves alone.
  @Test func linesAreShort() throws {
    var long: [String] = []
    for path in Self.swift {
      let limit = path.hasPrefix("Tests/") ? 160 : 130
      for (index, line) in try Repository.lines(path).enumerated()
      where line.utf8.count > limit && line.count > limit { long.append("\(path):\(index + 1)") }
    }
    #expect(long == [])
  }

  @Test func functionsAreShort() throws {
    var long: [String] = []
    for path in Repository.files("Sources", suffix: ".swift") {
      let lines = try Repository.lines(path)
      for (start, line) in lines.enumerated() where Self.opensFunction(line) && !line.hasSuffix("}") {
        let indent = line.prefix { $0 == " " }
        let end = lines[start...].firstIndex { $0 == indent + "}" } ?? start
        if end - start > 60 { long.append("\(path):\(start + 1)") }
      }
    }
    #expect(long == [], "functions of over 60 lines")
  }

  @Test func nothingIsLeftForLater() throws {
    try expectNone(in: Self.swift + Self.tools, ["TODO", "FIXME", "XXX", "HACK"])
  }

  @Test func nothingTrapsOnPurpose() throws {
    try expectNone(
      in: Repository.files("Sources", suffix: ".swift"), ["try!", "as!", "fatalError(", "assertionFailure("])
  }

  @Test func testsDoNotSleep() throws {
    try expectNone(
      in: Repository.files("Tests", suffix: ".swift"),
      ["Thread.sleep", "usleep(", "Task.sleep", "asyncAfter", "nanosleep(", "Date.now", "Date()"])
  }

  @Test func checksStayOn() throws {
    try expectNone(
      in: Self.written.filter { !$0.hasPrefix("Tests/") && !$0.hasPrefix("docs/") },
      ["-Ounchecked", "unsafeFlags", "-enforce-exclusivity=unchecked"])
  }

  /// What one person's machine is called has no place here.
  @Test func noPathIsOfOneMachine() throws {
    let roots = ["home", "Users", "root", "work", "mnt", "Volumes"].map { "/\($0)/" }
    let start: Set<Character> = ["\n", "\"", "'", " ", "(", "=", "`", ":"]
    var found: [String] = []
    for path in Self.written where !path.hasPrefix("Tests/HouseTests/") {
      let text = try Repository.text(path)
      for root in roots {
        for range in text.ranges(of: root) {
          let isStart =
            range.lowerBound == text.startIndex || start.contains(text[text.index(before: range.lowerBound)])
          if isStart { found.append("\(path): \(root)") }
        }
      }
    }
    #expect(found == [])
  }

  /// A file is named after its first public type, or extends one and is named for what it adds.
  @Test func filesAreNamedAfterTheirType() throws {
    // Files that hold a vocabulary: many small types that are read together.
    let vocabularies: Set<String> = ["Words", "HeaderWords", "EventFields", "ParameterTable"]
    var strays: [String] = []
    for path in Repository.files("Sources", suffix: ".swift") {
      let file = path.split(separator: "/").last.map { $0.dropLast(6) } ?? ""
      guard !file.contains("+"), !vocabularies.contains(String(file)) else { continue }
      let types = try Repository.lines(path).compactMap { Self.publicType($0) }
      if let first = types.first, first != file { strays.append("\(path) begins with \(first)") }
    }
    #expect(strays == [])
  }

  private func expectNone(in paths: [String], _ words: [String]) throws {
    var found: [String] = []
    for path in paths where !path.contains("Tidy") {
      let text = try Repository.text(path)
      for word in words where text.contains(word) {
        for (index, line) in try Repository.lines(path).enumerated()
        where Self.holds(line, word) {
          found.append("\(path):\(index + 1): \(word)")
        }
      }
    }
    #expect(found == [])
  }

  /// Whether the word stands in the line, and not as a part of a longer one.
  private static func holds(_ line: Substring, _ word: String) -> Bool {
    line.ranges(of: word).contains { range in
      let before = range.lowerBound == line.startIndex ? " " : line[line.index(before: range.lowerBound)]
      let after = range.upperBound == line.endIndex ? " " : line[range.upperBound]
      return !before.isLetter && !(after.isLetter && word.last?.isLetter == true)
    }
  }

  private static func opensFunction(_ line: Substring) -> Bool {
    let words = line.split(separator: " ")
    return words.contains {
      $0 == "func" || $0.hasPrefix("init(") || $0.hasPrefix("init?(") || $0.hasPrefix("init<")
    }
      && !line.hasPrefix("//")
  }

  /// The name of a public type that the line declares at file scope.
  private static func publicType(_ line: Substring) -> Substring? {
    guard line.hasPrefix("public ") else { return nil }
    let words = line.split(separator: " ")
    guard
      let index = words.firstIndex(where: { ["struct", "enum", "class", "actor", "protocol"].contains($0) }),
      words.count > index + 1
    else { return nil }
    return words[index + 1].prefix { $0.isLetter || $0.isNumber }
  }
}
