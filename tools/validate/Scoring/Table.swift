/// A table of results, for people and for files.
public struct Table: Equatable, Sendable {
  /// What marks its place in a document.
  public var name: String
  /// What stands above the columns.
  public var columns: [String]
  /// The cells, row by row.
  public var rows: [[String]]

  /// Makes a table.
  public init(_ name: String, _ columns: [String], _ rows: [[String]] = []) {
    self.name = name
    self.columns = columns
    self.rows = rows
  }

  /// The table in Markdown.
  public var markdown: String {
    let lines =
      [columns, columns.map { _ in "---" }].map(Self.line) + rows.map(Self.line)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  /// The table as one JSON object, a line for each row.
  public var json: String {
    let rows = rows.map { "      [" + $0.map(Self.quoted).joined(separator: ", ") + "]" }
    return """
          {
            "name": \(Self.quoted(name)),
            "columns": [\(columns.map(Self.quoted).joined(separator: ", "))],
            "rows": [
      \(rows.joined(separator: ",\n"))
            ]
          }
      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

/// How many of so many.
public struct Rate: Equatable, Sendable {
  /// Those that are so.
  public var hits = 0
  /// All.
  public var count = 0

  /// Makes the rate of nothing.
  public init() {}

  /// Makes a rate.
  public init(_ hits: Int, of count: Int) { (self.hits, self.count) = (hits, count) }

  /// Counts one.
  public mutating func add(_ isHit: Bool) {
    count += 1
    if isHit { hits += 1 }
  }

  /// The share; 1 of nothing.
  public var share: Double { count == 0 ? 1 : Double(hits) / Double(count) }

  /// The share in percent, or a dash of nothing.
  public var percent: String { count == 0 ? "–" : Text.percent(share) }
  /// `12/13`.
  public var fraction: String { "\(hits)/\(count)" }
}

/// Numbers as tables show them.
public enum Text {
  /// `98.3 %`; as many digits as it takes not to say 100 % of what is not all.
  public static func percent(_ share: Double) -> String {
    let isRound = share <= 0.999 || share >= 1
    return fixed(share * 100, isRound ? 1 : 3) + " %"
  }

  /// A number with so many digits after the point.
  public static func fixed(_ value: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && whole > 0 ? "−" : ""
    guard digits > 0 else { return sign + String(whole) }
    let rest = String(whole % scale)
    return sign + "\(whole / scale)." + String(repeating: "0", count: digits - rest.count) + rest
  }

  /// Microseconds as milliseconds; a dash of nothing.
  public static func milliseconds(_ microseconds: Int?) -> String {
    microseconds.map { fixed(Double($0) / 1_000, 0) } ?? "–"
  }

  /// A count, its thousands apart.
  public static func count(_ value: Int) -> String {
    var groups: [Substring] = []
    var rest = String(value)[...]
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    return ([rest] + groups).joined(separator: ",")
  }
}

extension [Int] {
  /// The value below which this part lies; nil of none.
  func quantile(_ part: Double) -> Int? {
    guard !isEmpty else { return nil }
    return sorted()[Swift.min(count - 1, Int(part * Double(count)))]
  }
}
