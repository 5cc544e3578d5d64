/// What a verb's help says of its flags, for completions.
struct FlagHelp {
  /// A flag, what stands after it, and what it does.
  struct Entry: Equatable {
    var flag: Flag
    /// The word for what stands after it: `FILE`; nil for nothing.
    var value: String?
    /// What it does, up to the first semicolon or colon.
    var text: String

    /// Whether a file's or a folder's name stands after it.
    var takesFile: Bool { value.map { ["FILE", "FOLDER", "TRACE", "NAME-OR-FILE"].contains($0) } ?? false }
  }

  /// The flags of a verb in the order in which it declares them, `--json` and `--help` last.
  static func entries(of verb: any Verb.Type) -> [Entry] {
    (verb.flags + [.json, .help]).map { flag in
      var (value, text) = described(flag, in: verb.help)
      if flag.argument == .none { value = nil }
      if flag == .help { text = "print help" }
      return Entry(flag: flag, value: flag.argument == .value ? value ?? "VALUE" : value, text: text)
    }
  }

  private static func described(_ flag: Flag, in help: String) -> (value: String?, text: String) {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("-"), words.count < line.count else { continue }
      // What belongs to the flag ends where two blanks stand.
      let head = line.prefix(line.count - words.count) + words.prefix(upTo: end(of: words))
      let parts = head.split(whereSeparator: { $0 == " " || $0 == "," })
      guard let place = parts.firstIndex(where: { $0 == "--\(flag.name)" }) else { continue }
      let value = place + 1 < parts.count ? String(parts[place + 1]) : nil
      let column = line.count - words.count
      var text = words.dropFirst(words.prefix(upTo: end(of: words)).count).split(separator: " ")
      for next in lines[(index + 1)...] {
        let rest = next.drop { $0 == " " }
        // The next flag, or the next paragraph.
        guard !rest.isEmpty, !rest.hasPrefix("-"), next.count - rest.count > column + 8 else { break }
        text += rest.split(separator: " ")
      }
      let thought = text.joined(separator: " ").prefix { $0 != ";" && $0 != ":" }
      return (value, String(thought))
    }
    return (nil, "")
  }

  private static func end(of words: Substring) -> Substring.Index {
    var last: Substring.Index?
    for index in words.indices {
      guard words[index] == " " else {
        last = nil
        continue
      }
      if let last { return last }
      last = index
    }
    return words.endIndex
  }
}
