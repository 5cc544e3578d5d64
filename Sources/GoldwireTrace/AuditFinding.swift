/// Something that a trace, a golden or a configuration should not hold; what it is stands nowhere in it.
public struct AuditFinding: Equatable, Sendable {
  /// What kind of thing it is.
  public enum Kind: String, CaseIterable, Sendable {
    /// Not readable as a file of its kind.
    case unreadable
    /// Not as the writer makes it: blanks, another order, escapes, keys or words of another kind.
    case notCanonical
    /// An event or a key that the format does not have.
    case unknown
    /// A word that is none of the vocabulary.
    case word
    /// A name that is not that of a file beside it, or of a set in the configuration.
    case name
    /// The tool's name is not of the form that goldwire writes.
    case tool
    /// Pseudonyms that do not count from 1 in order of appearance.
    case pseudonym
    /// A number that no trace of this length can have there.
    case number
    /// A last line without its end.
    case torn
  }

  /// The line, from 1.
  public var line: Int
  /// The byte in the line, from 1.
  public var column: Int
  /// What kind of thing it is.
  public var kind: Kind
  /// What was expected, where the reader says; it quotes nothing.
  public var detail: String?

  /// Makes a finding.
  ///
  /// `detail` must hold nothing of the input.
  public init(line: Int, column: Int, kind: Kind, detail: String? = nil) {
    self.line = line
    self.column = column
    self.kind = kind
    self.detail = detail
  }

  /// The index of the first byte of a line in which it differs from what a writer makes, line feed aside.
  package static func firstDifference(_ bytes: Span<UInt8>, _ canonical: Span<UInt8>) -> Int? {
    let count = max(canonical.count - 1, 0)
    let common = min(bytes.count, count)
    for index in 0..<common where bytes[index] != canonical[index] { return index }
    return bytes.count == count ? nil : common
  }
}

extension AuditFinding {
  /// The column of the member in which, or before which, a line first differs from what a writer makes.
  static func column(of difference: Int, _ members: [JSONValue.Member]) -> Int {
    // What differs at the comma before a key differs by that key.
    members.last { $0.column <= difference + 2 }?.column ?? difference + 1
  }
}

extension AuditFinding: CustomStringConvertible {
  /// What it is, in words, without its place.
  public var description: String {
    switch kind {
    case .unreadable: "cannot be read" + (detail.map { ": \($0)" } ?? "")
    case .notCanonical: "is not as goldwire writes it: a blank, an escape, another order or another number"
    case .unknown: "has a key or an event that the format does not have"
    case .word: "has a word that is not in the vocabulary"
    case .name: "has a name of nothing that is there"
    case .tool: "names a tool other than goldwire and its version"
    case .pseudonym: "has a pseudonym that does not count on from the one before"
    case .number: "has a number that a trace of its length cannot have there"
    case .torn: "ends within a line"
    }
  }
}
