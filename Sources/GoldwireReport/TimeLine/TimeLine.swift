package import GoldwireReplay
package import GoldwireTrace

/// Draws a trace line by line; memory is bounded, so that a recording can be drawn as it goes on.
///
/// Folding needs to look ahead, so a drawing that must be up to date at each line goes without.
package struct TimeLine {
  /// The fewest entries that a fold stands for.
  package static let leastFold = 6
  private static let head = 3
  private static let tail = 2

  /// What was drawn so far, in numbers.
  package private(set) var summary: Summary
  private var story: Story
  private var layout: Layout
  private let unit: Unit
  private let isFolding: Bool
  private var run: [(entry: Entry, cells: [Lanes.Cell])] = []
  private var folded: FoldedRun?

  /// Makes a drawing for a width and a theme.
  package init(unit: Unit, width: Int, theme: Theme = Theme(), isFolding: Bool = true) {
    summary = Summary(unit: unit)
    story = Story(unit: unit)
    layout = Layout(unit: unit, width: width, theme: theme)
    self.unit = unit
    self.isFolding = isFolding
  }

  /// The titles of the columns.
  package func titles() -> [String] { layout.titles() }

  /// Takes the next line; gives back the rows that are ready.
  ///
  /// `agrees` says that a machine that is drawn beside the recording does the same.
  package mutating func rows(_ line: TraceLine, agrees: Bool = false) -> [String] {
    var entry = story.tell(line)
    entry.agrees = agrees
    summary.take(entry)
    guard isFolding, entry.isOrdinary else { return finish() + layout.rows(entry) }
    run.append((entry, story.lanes.cells))
    if run.count > Self.head + Self.tail + Self.leastFold
      || folded != nil && run.count > Self.head + Self.tail
    {
      fold()
    }
    return []
  }

  /// Takes a line in without drawing it, so that later ones are told right.
  package mutating func skip(_ line: TraceLine) { _ = story.tell(line) }

  /// Takes an action that only the machine does.
  package mutating func rows(_ action: GoldenLine) -> [String] {
    finish() + layout.machine(action, story.lanes.cells)
  }

  /// Gives back the rows that waited for more of their kind.
  package mutating func finish() -> [String] {
    defer {
      run.removeAll(keepingCapacity: true)
      folded = nil
    }
    guard let folded else { return run.flatMap { layout.rows($0.entry) } }
    var rows = run.prefix(Self.head).flatMap { layout.rows($0.entry) }
    rows += layout.fold(folded.text(unit), until: folded.last, folded.cells)
    for item in run.dropFirst(Self.head) { rows += layout.rows(item.entry) }
    return rows
  }

  /// Moves the entries between the first and the last ones into the fold.
  private mutating func fold() {
    var folded = folded ?? FoldedRun()
    while run.count > Self.head + Self.tail {
      let item = run.remove(at: Self.head)
      folded.take(item.entry, item.cells)
    }
    self.folded = folded
  }
}

/// The entries that one fold stands for, as numbers.
struct FoldedRun {
  private(set) var last = 0
  private(set) var cells: [Lanes.Cell] = []
  private var count = 0
  private var pings = 0
  private var least = Int.max
  private var most = 0
  private var messages: [(count: Int, bytes: Int)] = [(0, 0), (0, 0)]
  private var events = 0

  mutating func take(_ entry: Entry, _ cells: [Lanes.Cell]) {
    count += 1
    last = entry.line.t
    self.cells = cells
    switch entry.line.event {
    case .wsPong(.in, _, _), .wsPinged(_, .ok, _):
      pings += 1
      least = min(least, entry.after ?? least)
      most = max(most, entry.after ?? 0)
    case .wsMessage(let message):
      let index = message.dir == .out ? 0 : 1
      messages[index].count += 1
      messages[index].bytes = messages[index].bytes.addingSaturated(message.bytes)
    case .sseEvent: events += 1
    default: break
    }
  }

  func text(_ unit: Unit) -> String {
    var parts: [String] = []
    if pings > 0 {
      let (low, high) = (Quantity.span(least, unit), Quantity.span(most, unit))
      parts.append(
        "\(Quantity.count(pings, "ping")) answered after \(low == high ? low : "\(low) to \(high)")")
    }
    for (index, way) in ["out", "in"].enumerated() where messages[index].count > 0 {
      let (count, bytes) = messages[index]
      parts.append("\(Quantity.count(count, "message")) \(way) (\(Quantity.bytes(bytes)))")
    }
    if events > 0 { parts.append(Quantity.count(events, "event")) }
    return "\(count) more lines" + (parts.isEmpty ? "" : ": ") + parts.joined(separator: ", ")
  }
}

extension Int {
  /// The sum, or the largest number where it does not fit.
  func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
