/// The tables of a document, between marks that name them.
public enum DocumentMarks {
  /// The document with each table that is given in the place of the one of its name.
  ///
  /// A table stands between `<!-- table NAME -->` and `<!-- end -->`; what is not given stays as it is.
  public static func renew(_ text: String, _ tables: [Table]) -> String {
    var lines: [Substring] = []
    var skips = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "<!-- end -->" { skips = false }
      if !skips { lines.append(line) }
      guard line.hasPrefix("<!-- table "), line.hasSuffix(" -->") else { continue }
      let name = line.dropFirst("<!-- table ".count).dropLast(" -->".count)
      guard let table = tables.first(where: { $0.name == name }) else { continue }
      skips = true
      lines.append("")
      lines += table.markdown.split(separator: "\n", omittingEmptySubsequences: false).map { $0 }
    }
    return lines.joined(separator: "\n")
  }
}
