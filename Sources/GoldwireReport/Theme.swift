/// How a time line is drawn: with colour or without, with box-drawing characters or plain ASCII.
package struct Theme: Equatable, Sendable {
  /// What a piece of text is, which decides its colour.
  package enum Tone: CaseIterable, Sendable {
    /// Ordinary.
    case plain
    /// Of little weight.
    case faint
    /// A heading or a name.
    case strong
    /// The client's own action.
    case action
    /// The end of a connection, a request or a stream.
    case end
    /// An event of a generation that is no longer the current one.
    case late
    /// A hole, or something that breaks a rule.
    case damage
    /// A machine's action, beside the recorded ones.
    case machine
  }

  /// The characters of the lanes and arrows.
  package struct Glyphs: Equatable, Sendable {
    /// A generation begins.
    package var begin: Character
    /// Something happens in it.
    package var mark: Character
    /// It lives.
    package var live: Character
    /// It lives on though a newer one was made.
    package var superseded: Character
    /// Something happens in it though a newer one was made.
    package var late: Character
    /// It ends.
    package var end: Character
    /// A hole in the recording.
    package var gap: Character
    /// Lines or time left out.
    package var fold: Character
    /// A line across.
    package var rule: Character
    /// Towards the peer.
    package var out: Character
    /// From the peer.
    package var `in`: Character
    /// A machine's action.
    package var machine: Character
    /// Between the parts of a sentence.
    package var dot: Character

    /// Box-drawing characters, each one column wide.
    package static let unicode = Glyphs(
      begin: "○", mark: "●", live: "│", superseded: "┊", late: "◌", end: "╳", gap: "░", fold: "⋮", rule: "─",
      out: "→", in: "←", machine: "»", dot: "·")
    /// Plain ASCII.
    package static let ascii = Glyphs(
      begin: "o", mark: "*", live: "|", superseded: ":", late: "@", end: "x", gap: "#", fold: ":", rule: "-",
      out: ">", in: "<", machine: "=", dot: "-")
  }

  /// The characters.
  package var glyphs: Glyphs
  /// Whether text is coloured.
  package var hasColor: Bool

  /// Makes a theme.
  package init(glyphs: Glyphs = .unicode, hasColor: Bool = false) {
    self.glyphs = glyphs
    self.hasColor = hasColor
  }

  /// The text in its colour, or as it is.
  package func paint(_ text: String, _ tone: Tone) -> String {
    guard hasColor, let code = Self.code(tone), !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private static func code(_ tone: Tone) -> String? {
    switch tone {
    case .plain: nil
    case .faint: "2"
    case .strong: "1"
    case .action: "36"
    case .end: "1;31"
    case .late: "1;33"
    case .damage: "35"
    case .machine: "32"
    }
  }
}
