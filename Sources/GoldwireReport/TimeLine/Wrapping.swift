/// The text in lines of at most so many characters, broken at blanks; a word that is longer is broken anywhere.
func wrapped(_ text: String, to width: Int) -> [String] {
  let width = max(width, 1)
  guard text.count > width else { return [text] }
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count <= width {
      line += " " + word
      continue
    }
    if !line.isEmpty { lines.append(line) }
    var rest = word
    while rest.count > width {
      lines.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    line = String(rest)
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}

/// The same, broken behind a comma where the parts between commas fit.
func wrappedAtCommas(_ text: String, to width: Int) -> [String] {
  guard text.count > width else { return [text] }
  var lines: [String] = []
  var line = ""
  let parts = text.split(separator: ", ").map(String.init)
  for (index, part) in parts.enumerated() {
    let part = index == parts.count - 1 ? part : part + ","
    if !line.isEmpty, line.count + 1 + part.count <= width {
      line += " " + part
      continue
    }
    if !line.isEmpty { lines.append(line) }
    var pieces = wrapped(part, to: width)
    line = pieces.removeLast()
    lines += pieces
  }
  return lines + [line]
}
