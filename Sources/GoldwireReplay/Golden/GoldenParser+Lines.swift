internal import GoldwireTrace

extension GoldenParser {
  /// Reads one action.
  static func line(_ value: JSONValue) throws(TraceError) -> GoldenLine {
    var line = GoldenLine(.end)
    var (hasInstant, hasAction) = (false, false)
    for member in try value.members() {
      let value = member.value
      switch member.key {
      case "t":
        line.t = try value.whole()
        hasInstant = true
      case "do":
        line.action = try word(value)
        hasAction = true
      case "ch": line.channel = try channel(value)
      case "gen": line.generation = try value.whole()
      case "req": line.req = try value.whole()
      case "try": line.attempt = try value.whole()
      case "n": line.n = try value.whole()
      case "id": line.id = try pseudonym(value)
      case "cursor": line.cursor = try pseudonym(value)
      case "for": line.wait = try value.whole()
      case "why": line.why = try word(value)
      case "code": line.code = try value.whole(in: 0...65_535)
      case "grade": line.grade = try value.word()
      default:
        throw TraceError(
          line: member.line, column: member.column,
          "unknown key; expected t, ch, gen, req, try, do, n, id, cursor, for, why, code or grade")
      }
    }
    guard hasInstant else { throw value.error("expected the key \"t\"") }
    guard hasAction else { throw value.error("expected the key \"do\"") }
    return line
  }

  private static func word(_ value: JSONValue) throws(TraceError) -> ActionWord {
    guard let word = ActionWord(try value.string()) else {
      throw value.error("expected a word of 1 to 16 letters and digits")
    }
    return word
  }

  private static func channel(_ value: JSONValue) throws(TraceError) -> Channel {
    let text = try value.string()
    let letters = text.utf8.prefix { $0 >= 0x61 && $0 <= 0x7A }
    let digits = text.utf8.dropFirst(letters.count)
    guard let family = Channel.Family(rawValue: String(Substring(letters))),
      let number = number(digits), number > 0
    else { throw value.error("expected a channel such as \"ws1\"") }
    return Channel(family, number)
  }

  private static func pseudonym(_ value: JSONValue) throws(TraceError) -> Int {
    let text = try value.string()
    if text.isEmpty { return 0 }
    guard text.utf8.first == UInt8(ascii: "e"), let number = number(text.utf8.dropFirst()), number > 0 else {
      throw value.error("expected a pseudonym such as \"e1\", or \"\"")
    }
    return number
  }

  /// A whole number in its shortest form, at most 16 digits; nil for anything else.
  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...16).contains(digits.count), digits.count == 1 || digits.first != 0x30 else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= 0x30, digit <= 0x39 else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }
}
