package import GoldwireReplay
package import GoldwireTrace

/// Sets entries as rows: instant, lanes, name, the client on the left, the rest on the right.
package struct Layout: Sendable {
  /// A silence that is at least so long, in µs, gets a row of its own.
  package static let silence = 5_000_000
  /// The narrowest width that is drawn.
  package static let narrowest = 72

  private let unit: Unit
  private let theme: Theme
  private let width: Int
  private let hasSince: Bool
  private var timeWidth = 11
  private var laneCount = 2
  private var nameWidth = 8
  private var last: Int?
  private var hasJustPaused = false

  /// Makes a layout for a terminal of so many columns.
  package init(unit: Unit, width: Int, theme: Theme) {
    self.unit = unit
    self.theme = theme
    self.width = max(width, Self.narrowest)
    hasSince = width >= 88
  }

  private static let sinceWidth = 9
  private static let longestName = 16
  /// The room for words below which lanes are drawn side by side, without a blank between.
  private static let leastRoom = 40

  private var besideLanes: Int {
    timeWidth + (hasSince ? Self.sinceWidth : 0) + 2 + 2 + nameWidth
  }
  private var isNarrow: Bool {
    laneCount > 3 && width - besideLanes - (laneCount * 2 - 1) < Self.leastRoom
  }
  private var lanesWidth: Int { max(isNarrow ? laneCount : laneCount * 2 - 1, 5) }
  private var margin: Int { besideLanes + lanesWidth }
  private var room: Int { width - margin }
  private var leftWidth: Int {
    room < 44 ? max(2, room - 28) : max(16, min(34, room * 3 / 8))
  }

  /// The titles of the columns, with a line below.
  package func titles() -> [String] {
    let titles = String(
      (Self.right("time", timeWidth) + (hasSince ? Self.right("since", Self.sinceWidth) : "") + "  "
        + Self.left("lanes", lanesWidth) + "  " + Self.left("", nameWidth)
        + Self.left("client", leftWidth) + "   peer and surroundings").prefix(width))
    return [
      theme.paint(titles, .strong), theme.paint(String(repeating: theme.glyphs.rule, count: width), .faint),
    ]
  }

  /// The rows of an entry: one, with one before it where a silence was long.
  package mutating func rows(_ entry: Entry) -> [String] {
    let name = name(of: entry.line)
    makeRoom(entry.line.t, entry.cells, name)
    var rows: [String] = []
    if !hasJustPaused, let last, entry.line.t > last, microseconds(entry.line.t - last) >= Self.silence {
      let quiet = entry.cells.map { Self.quiet($0, isOld: entry.standing != .current) }
      rows.append(pause(since: entry.line.t - last, quiet, ""))
      self.last = entry.line.t
    }
    var phrase = entry.phrase
    if let after = entry.after, !hasSince || !rows.isEmpty || last != entry.line.t - after {
      phrase.text += ", after \(Quantity.span(after, unit))"
    }
    if entry.agrees { phrase.text += " \(theme.glyphs.machine)" }
    rows += body(phrase, margin(entry.line.t, entry.cells, name, isLate: entry.standing != .current))
    last = entry.line.t
    hasJustPaused = false
    return rows
  }

  /// The rows for entries that are left out; `until` is the instant of the last of them.
  package mutating func fold(_ text: String, until t: Int, _ cells: [Lanes.Cell]) -> [String] {
    defer {
      last = t
      hasJustPaused = true
    }
    makeRoom(0, cells, "")
    let lines = wrappedAtCommas(text, to: room)
    let hanging = String(repeating: " ", count: margin)
    return [pause(since: last.map { max(t - $0, 0) }, cells, lines.first ?? "")]
      + lines.dropFirst().map { hanging + theme.paint($0, .faint) }
  }

  /// An action that only the machine does.
  package mutating func machine(_ action: GoldenLine, _ cells: [Lanes.Cell]) -> [String] {
    let name = action.channel.map { self.name($0, action.generation) } ?? ""
    makeRoom(action.t, cells, name)
    let margin = margin(action.t, cells, name, isLate: false)
    last = action.t
    hasJustPaused = false
    let phrase = Phrase(.client, "\(theme.glyphs.machine) \(action.words(unit))", .machine)
    return onTheLeft(phrase, margin, reserved: 0)
  }

  /// Widens the columns to what stands in a row.
  private mutating func makeRoom(_ t: Int, _ cells: [Lanes.Cell], _ name: String) {
    timeWidth = max(timeWidth, instant(t).count + 1)
    laneCount = max(laneCount, cells.count)
    nameWidth = max(nameWidth, name.count + 1)
  }

  /// The instant; beyond a thousand hours in days, since what is left of it stands in the column beside it.
  private func instant(_ t: Int) -> String {
    let hours = t / (unit == .us ? 3_600_000_000 : 3_600_000)
    return hours < 1_000
      ? Quantity.instant(t, unit) : "\(hours / 24)d\(hours % 24 < 10 ? "0" : "")\(hours % 24)h"
  }

  // MARK: Parts of a row

  private func margin(_ t: Int, _ cells: [Lanes.Cell], _ name: String, isLate: Bool) -> String {
    let since = last.map { t > $0 ? "+" + Quantity.span(t - $0, unit) : "" } ?? ""
    return Self.right(instant(t), timeWidth)
      + (hasSince ? theme.paint(Self.right(since, Self.sinceWidth), .faint) : "") + "  " + draw(cells) + "  "
      + theme.paint(Self.left(name, nameWidth), isLate ? .late : .faint)
  }

  private func pause(since: Int?, _ cells: [Lanes.Cell], _ text: String) -> String {
    let length = since.map { "+" + Quantity.span($0, unit) } ?? ""
    let row =
      theme.paint(Self.right(String(theme.glyphs.fold), timeWidth), .faint)
      + (hasSince ? theme.paint(Self.right(length, Self.sinceWidth), .faint) : "") + "  " + draw(cells) + "  "
      + Self.left("", nameWidth) + theme.paint(hasSince || !text.isEmpty ? text : length, .faint)
    return Self.withoutBlanks(row)
  }

  private func body(_ phrase: Phrase, _ margin: String) -> [String] {
    let glyphs = theme.glyphs
    switch phrase.side {
    case .sent:
      var lines = onTheLeft(phrase, margin, reserved: 3)
      let last = wrapped(phrase.text, to: room - 3).last ?? ""
      let arrow =
        String(repeating: glyphs.rule, count: max(1, leftWidth - last.count - 1)) + String(glyphs.out)
      lines[lines.count - 1] += " " + theme.paint(arrow, .faint)
      return lines
    case .client:
      return onTheLeft(phrase, margin, reserved: 0)
    case .peer:
      return onTheRight(phrase, String([glyphs.in, glyphs.rule]), margin)
    case .local:
      return onTheRight(phrase, String([glyphs.dot, glyphs.dot]), margin)
    case .recorder:
      return onTheRight(phrase, "  ", margin)
    }
  }

  private func onTheLeft(_ phrase: Phrase, _ margin: String, reserved: Int) -> [String] {
    let hanging = String(repeating: " ", count: self.margin)
    return wrapped(phrase.text, to: room - reserved).enumerated().map { index, text in
      (index == 0 ? margin : hanging) + theme.paint(text, phrase.tone)
    }
  }

  private func onTheRight(_ phrase: Phrase, _ lead: String, _ margin: String) -> [String] {
    let space = room - leftWidth - 4
    let lines = wrapped(phrase.text, to: space)
    let indent = String(repeating: " ", count: leftWidth + 1)
    let hanging = String(repeating: " ", count: self.margin + leftWidth + 4)
    return lines.enumerated().map { index, text in
      index == 0
        ? margin + indent + theme.paint(lead, .faint) + " " + theme.paint(text, phrase.tone)
        : hanging + theme.paint(text, phrase.tone)
    }
  }

  private func draw(_ cells: [Lanes.Cell]) -> String {
    let drawn = cells.map { cell in
      let (glyph, tone) = look(cell)
      return theme.paint(String(glyph), tone)
    }
    let blank = max(0, lanesWidth - (isNarrow ? cells.count : max(0, cells.count * 2 - 1)))
    return drawn.joined(separator: isNarrow ? "" : " ") + String(repeating: " ", count: blank)
  }

  private func look(_ cell: Lanes.Cell) -> (Character, Theme.Tone) {
    switch cell {
    case .free: (" ", .plain)
    case .live: (theme.glyphs.live, .faint)
    case .superseded: (theme.glyphs.superseded, .late)
    case .begin: (theme.glyphs.begin, .strong)
    case .mark: (theme.glyphs.mark, .plain)
    case .late: (theme.glyphs.late, .late)
    case .end: (theme.glyphs.end, .end)
    case .gap: (theme.glyphs.gap, .damage)
    }
  }

  private func name(of line: TraceLine) -> String { line.channel.map { name($0, line.generation) } ?? "" }

  private func name(_ channel: Channel, _ generation: Int?) -> String {
    let name = "\(channel)" + (generation.map { "#\($0)" } ?? "")
    return name.count > Self.longestName ? name.prefix(Self.longestName - 2) + ".." : name
  }

  private func microseconds(_ length: Int) -> Int {
    let (product, overflow) = length.multipliedReportingOverflow(by: unit == .us ? 1 : 1_000)
    return overflow ? .max : product
  }

  /// The column on the row before an entry.
  private static func quiet(_ cell: Lanes.Cell, isOld: Bool) -> Lanes.Cell {
    switch cell {
    case .free, .begin: .free
    case .late: .superseded
    case .end: isOld ? .superseded : .live
    case .live, .mark, .gap: .live
    case .superseded: .superseded
    }
  }

  // MARK: Text

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func withoutBlanks(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
