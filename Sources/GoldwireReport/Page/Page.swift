/// A self-contained page of HTML: its style and its drawings stand in it, and nothing is loaded from anywhere.
///
/// Equal input gives equal bytes.
public struct Page: Equatable, Sendable {
  /// The limits of a page.
  public enum Limits {
    /// The most events and actions that are drawn in one picture.
    public static let marks = 20_000
    /// The most that are drawn each by itself; of more, those that lie on others of their kind are left out.
    public static let sparseMarks = 2_000
    /// The most rows of one picture: channels, connections and machines' actions.
    public static let rows = 200
    /// The most lines of a text that stand in the page.
    public static let lines = 5_000
    /// The most results of a test that have a picture.
    public static let pictures = 100
  }

  /// What stands above all.
  public let title: String
  private var body = ""

  /// Makes an empty page.
  init(_ title: String) { self.title = title }

  /// Adds a heading of the second level.
  mutating func add(heading: String) { body += "<h2>\(Markup.escaped(heading))</h2>\n" }

  /// Adds a paragraph.
  mutating func add(paragraph: String) { body += "<p>\(Markup.escaped(paragraph))</p>\n" }

  /// Adds lines as they stand; those that begin as a difference does are marked.
  mutating func add(lines: [String]) {
    guard !lines.isEmpty else { return }
    body += "<pre>"
    for line in lines.prefix(Limits.lines / 2) { add(line) }
    let rest = lines.dropFirst(Limits.lines / 2)
    if rest.count > Limits.lines / 2 {
      add("… \(rest.count - Limits.lines / 2) lines are left out here; the command prints them")
    }
    for line in rest.suffix(Limits.lines / 2) { add(line) }
    body += "</pre>\n"
  }

  private mutating func add(_ line: String) {
    let mark = line.drop { $0 == " " }
    let kind = mark.hasPrefix("~ ") ? "shifted" : mark.hasPrefix("! ") ? "changed" : ""
    let text = Markup.escaped(line)
    body += kind.isEmpty ? text + "\n" : "<span class=\"\(kind)\">\(text)</span>\n"
  }

  /// Adds a table; rows of which `strong` tells the index stand out.
  mutating func add(table head: [String], _ rows: [[String]], strong: Set<Int> = []) {
    func row(_ cells: [String], _ tag: String) -> String {
      cells.map { "<\(tag)>\(Markup.escaped($0))</\(tag)>" }.joined()
    }
    body += "<div class=\"wide\"><table><thead><tr>\(row(head, "th"))</tr></thead><tbody>\n"
    for (index, cells) in rows.enumerated() {
      body += "<tr\(strong.contains(index) ? " class=\"best\"" : "")>\(row(cells, "td"))</tr>\n"
    }
    body += "</tbody></table></div>\n"
  }

  /// Adds a picture, with what it shows in words for those who cannot see it.
  mutating func add(picture: String, width: Int, height: Int, label: String) {
    body += "<div class=\"wide\"><svg role=\"img\" aria-label=\"\(Markup.escaped(label))\" "
    body += "viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\">\n"
    body += picture + "</svg></div>\n"
  }

  /// The document.
  public func html() -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
    <title>\(Markup.escaped(title))</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <h1>\(Markup.escaped(title))</h1>
    \(body)</body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1d2329; --faint: #6a737d; --rule: #d8dee4; --back: #ffffff;
      --client: #0969da; --peer: #1a7f37; --end: #cf222e; --shifted: #9a6700; --machine: #8250df; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --faint: #8d96a0; --rule: #30363d;
      --back: #0d1117; --client: #4493f8; --peer: #3fb950; --end: #f85149; --shifted: #d29922;
      --machine: #ab7df8; } }
    body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
      max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; border-top: 1px solid var(--rule);
      padding-top: 1rem; overflow-wrap: anywhere; }
    pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; }
    .shifted { color: var(--shifted); } .changed { color: var(--end); font-weight: 600; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th, td { text-align: right; padding: .2rem .8rem; border-bottom: 1px solid var(--rule); }
    th:first-child, td:first-child { text-align: left; padding-left: 0; }
    tr.best td { font-weight: 600; }
    svg text { font: 12px ui-monospace, monospace; fill: var(--ink); } svg .faint { fill: var(--faint); }
    svg line { stroke: var(--rule); } svg .life { stroke: var(--faint); stroke-width: 3; }
    svg .sent, svg .client { fill: var(--client); } svg .peer { fill: var(--peer); }
    svg .local, svg .recorder { fill: var(--faint); } svg .ends { fill: var(--end); }
    svg .action { fill: var(--machine); } svg .moved { fill: var(--shifted); }
    svg .differs { fill: var(--end); stroke: var(--end); }
    svg .best { stroke: var(--ink); stroke-width: 2; }
    """
}
