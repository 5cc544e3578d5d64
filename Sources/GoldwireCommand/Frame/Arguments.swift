package import GoldwireTrace

/// The words after a verb, sorted into flags and operands.
///
/// `--flag=value`, `--flag value`, `-f value` and `-fvalue` are understood; `--` ends the flags; `-` alone is an
/// operand or a value. A flag that is unknown, given twice, or lacks its value is an error.
package struct Arguments: Equatable, Sendable {
  /// The verb that they are for.
  package let verb: String
  /// The words that belong to no flag, in order.
  package private(set) var operands: [String] = []
  private var found: [String: [String]] = [:]
  private let flags: [Flag]

  /// Sorts the words.
  package init(_ words: [String], verb: String, flags: [Flag]) throws(UsageError) {
    self.verb = verb
    self.flags = flags + [.json, .help]
    var index = words.startIndex
    while index < words.endIndex {
      let word = words[index]
      index += 1
      if word == "--" {
        operands += words[index...]
        return
      }
      if word.hasPrefix("--") {
        try takeLong(word, words, &index)
      } else if word.hasPrefix("-"), word != "-" {
        try takeShort(word, words, &index)
      } else {
        operands.append(word)
      }
    }
  }

  /// Whether the flag was given.
  package func has(_ flag: String) -> Bool { !values(flag).isEmpty }

  /// The flag's value: nil where it was not given, "" where it was given without one.
  package func value(_ flag: String) -> String? { values(flag).first }

  /// The values of a flag that repeats, in order.
  package func values(_ flag: String) -> [String] {
    precondition(flags.contains { $0.name == flag }, "A verb asks for a flag that it does not declare.")
    return found[flag] ?? []
  }

  /// Whether machine-readable output is wanted.
  package var wantsJSON: Bool { has("json") }

  /// An error about these arguments.
  package func error(_ message: String) -> UsageError { UsageError(message, verb: verb) }

  // MARK: Sorting

  private mutating func takeLong(_ word: String, _ words: [String], _ index: inout Int) throws(UsageError) {
    let body = word.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = body.count > name.count ? String(body.dropFirst(name.count + 1)) : nil
    guard let flag = flags.first(where: { $0.name == name }) else {
      let near = Spelling.nearest(name, among: flags.map(\.name))
      throw error("unknown flag '--\(name)'" + (near.map { "; did you mean '--\($0)'?" } ?? ""))
    }
    try take(flag, as: "--\(name)", attached, words, &index)
  }

  private mutating func takeShort(_ word: String, _ words: [String], _ index: inout Int) throws(UsageError) {
    let name = word[word.index(after: word.startIndex)]
    let rest = word.dropFirst(2)
    guard let flag = flags.first(where: { $0.short == name }) else {
      let long = word.dropFirst().prefix { $0 != "=" }
      let near = Spelling.nearest(String(long), among: flags.map(\.name)).map { "; did you mean '--\($0)'?" }
      throw error("unknown flag '-\(name)'" + (near ?? ""))
    }
    if rest.hasPrefix("=") { throw error("'\(word)' has a '='; write '-\(name) \(rest.dropFirst())'") }
    if flag.argument == .none, !rest.isEmpty {
      throw error("'-\(name)' takes no value; write flags one by one, or '--' before a name with a dash")
    }
    try take(flag, as: "-\(name)", rest.isEmpty ? nil : String(rest), words, &index)
  }

  private mutating func take(
    _ flag: Flag, as spelling: String, _ attached: String?, _ words: [String], _ index: inout Int
  ) throws(UsageError) {
    guard flag.repeats || found[flag.name] == nil else {
      throw error("'\(spelling)' is given twice; keep one")
    }
    var value = attached ?? ""
    switch flag.argument {
    case .none:
      if attached != nil { throw error("'\(spelling)' takes no value; leave out what follows '='") }
    case .optional:
      if attached == "" { throw error("'\(spelling)=' has no value; leave out '=' or write one") }
    case .value:
      if attached == nil, index < words.endIndex, Self.canBeValue(words[index]) {
        value = words[index]
        index += 1
      }
      if value.isEmpty { throw error("'\(spelling)' needs a value after it") }
    }
    found[flag.name, default: []].append(value)
  }

  /// Whether a word can be a flag's value: no flag is a digit, so `-1` is a number.
  private static func canBeValue(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return true }
    return word.utf8.dropFirst().first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
  }
}

// MARK: Values

extension Arguments {
  /// The one operand, called `what` where it is missing; more than one is an error.
  package func onlyOperand(_ what: String) throws(UsageError) -> String {
    guard let first = operands.first else { throw error("\(what) is missing") }
    guard operands.count == 1 else { throw error("'\(operands[1])' is one operand too many") }
    return first
  }

  /// Refuses operands, for verbs that have none.
  package func noOperands() throws(UsageError) {
    if let first = operands.first { throw error("'\(first)' is in no place that this verb knows") }
  }

  /// The file to read: `-r FILE` or the one operand.
  package func input(_ what: String = "TRACE") throws(UsageError) -> String {
    guard let file = value("read") else { return try onlyOperand("\(what), the file to read,") }
    try noOperands()
    return file
  }

  /// The file of `--report`, a page of HTML.
  package func report() throws(UsageError) -> String? {
    guard let path = value("report") else { return nil }
    if path == "-" { throw error("--report wants a file, since standard output has the results") }
    return path
  }

  /// A flag's length of time: `250ms`, `30s`, `2m`.
  package func span(_ flag: String) throws(UsageError) -> TimeSpan? {
    guard let text = value(flag) else { return nil }
    if let span = TimeSpan(text) { return span }
    let isBare = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    throw error(
      isBare
        ? "--\(flag) \(text) has no unit; write \(text)s or \(text)ms"
        : "--\(flag) wants a length of time such as 250ms, 30s or 2m")
  }

  /// A flag's whole number, at least `least`.
  package func number(_ flag: String, atLeast least: Int = 0) throws(UsageError) -> Int? {
    guard let text = value(flag) else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(text), number >= least else {
      throw error("--\(flag) wants a whole number of at least \(least)")
    }
    return number
  }

  /// A flag's word of a closed set.
  package func word<Word>(_ flag: String, as type: Word.Type = Word.self) throws(UsageError) -> Word?
  where Word: RawRepresentable<String> & CaseIterable {
    guard let text = value(flag) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw error(
      "--\(flag) wants one of \(words.joined(separator: ", "))" + Spelling.hint(text, among: words))
  }

  /// A repeated flag's channels, `ws1` or `ws1,http2`, in the order given and without doubles.
  package func channels(_ flag: String = "channel") throws(UsageError) -> [Channel] {
    var channels: [Channel] = []
    for word in values(flag).flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let channel = Channel(spelled: word) else {
        throw error("--\(flag) wants names such as ws1, http2 or sse1, as `goldwire show` prints them")
      }
      if !channels.contains(channel) { channels.append(channel) }
    }
    return channels
  }
}

extension Channel {
  /// Reads a channel's name as a trace spells it; nil for anything else.
  init?(spelled text: some StringProtocol) {
    let letters = text.prefix { $0.isASCII && $0.isLetter }
    let digits = text.dropFirst(letters.count)
    guard let family = Family(rawValue: String(letters)), digits.first != "0",
      digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(digits)
    else { return nil }
    self.init(family, number)
  }
}
