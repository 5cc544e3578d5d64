package import GoldwireReport

/// When output is coloured.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

extension Console {
  /// How time lines are drawn here.
  ///
  /// What is no terminal gets the same characters in every locale; a terminal whose locale is not UTF-8 gets ASCII.
  package func theme(isASCII: Bool = false, color: ColorChoice = .auto) -> Theme {
    Theme(
      glyphs: isASCII || isTerminal && !isUTF8 ? .ascii : .unicode,
      hasColor: color == .always || color == .auto && hasColor)
  }

  private var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
  }
}
