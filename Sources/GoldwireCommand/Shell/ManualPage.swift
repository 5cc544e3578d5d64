/// The manual page, made of the help of all verbs.
enum ManualPage {
  /// The page in man's macros.
  static var text: String {
    var text = ".TH GOLDWIRE 1 \"\" \"goldwire \(GoldwireCommand.version)\" \"User Commands\"\n"
    text += ".SH NAME\ngoldwire \\- record, replay and question the traces of network clients\n"
    text += ".SH SYNOPSIS\n.B goldwire\n.I VERB\n.RI [ ARGUMENTS ]\n"
    text += ".SH DESCRIPTION\n" + block(Help.overview)
    for verb in Verbs.all {
      text += ".SH GOLDWIRE \(verb.name.uppercased())\n\(escaped(verb.summary))\n.PP\n" + block(verb.help)
    }
    return text
  }

  /// Text that stands as it is.
  private static func block(_ help: String) -> String {
    ".nf\n" + escaped(help) + ".fi\n"
  }

  /// Text in which nothing is a request or an escape of the formatter's.
  private static func escaped(_ text: String) -> String {
    var result = ""
    var isFirst = true
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'" where isFirst, "." where isFirst: result += "\\&\(character)"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      default:
        for scalar in character.unicodeScalars {
          if scalar.isASCII {
            result.unicodeScalars.append(scalar)
          } else {
            let code = String(scalar.value, radix: 16, uppercase: true)
            result += "\\[u" + String(repeating: "0", count: max(0, 4 - code.count)) + code + "]"
          }
        }
      }
      isFirst = character == "\n"
    }
    return result
  }
}
