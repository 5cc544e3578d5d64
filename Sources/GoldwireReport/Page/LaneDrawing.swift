internal import GoldwireReplay
internal import GoldwireTrace

/// Draws the channels of a trace as lanes over time, a lane for each generation, and machines' actions below.
struct LaneDrawing {
  /// Actions that stand in rows of their own, one for each channel.
  struct Track {
    /// What they are: `golden`, `now`.
    var name: String
    /// The actions, and how each differs from what stands across from it.
    var actions: [(line: GoldenLine, verdict: Comparison.Verdict)]
  }

  private struct Lane: Hashable {
    var channel: Channel?
    var generation: Int?
  }

  private static let width = 1_100
  private static let gutter = 150
  private static let row = 26
  private static let top = 30

  private let words: Words
  private let unit: Unit
  private let start: Int
  private let length: Int
  private var svg = ""
  private var y = top
  private var marks = 0
  private var rows = 0
  /// Whether there is so much that what lies on others is left out.
  private let isDense: Bool
  /// How many rows there may be now.
  private var room = Page.Limits.rows
  /// The place of the last mark of each kind in the row, in tenths of the picture's units.
  private var last: [String: Int] = [:]
  /// How many events and actions were left out.
  private(set) var omitted = 0
  /// How many lie on another of their kind, so that they would not be seen.
  private(set) var covered = 0
  /// How many rows were left out.
  private(set) var omittedRows = 0

  /// The height of the picture.
  var height: Int { y + 8 }
  /// The picture's width.
  static var fullWidth: Int { width }

  /// Draws a trace, and the tracks below.
  static func draw(_ trace: Trace, _ words: Words, _ tracks: [Track]) -> LaneDrawing {
    var drawing = LaneDrawing(trace, words, tracks)
    // What machines do is not left out for connections.
    let below = tracks.map { Set($0.actions.map(\.line.channel)).count }.reduce(0, +)
    drawing.room = Page.Limits.rows - min(below, Page.Limits.rows / 2)
    drawing.drawLanes(trace)
    drawing.room = Page.Limits.rows
    for track in tracks { drawing.draw(track) }
    return drawing
  }

  private init(_ trace: Trace, _ words: Words, _ tracks: [Track]) {
    self.words = words
    unit = trace.header.unit
    let actions = tracks.flatMap { $0.actions.map(\.line.t) }
    isDense = trace.lines.count + actions.count > Page.Limits.sparseMarks
    let first = min(trace.lines.first?.t ?? 0, actions.min() ?? .max)
    let last = max(trace.lines.last?.t ?? 0, actions.max() ?? .min)
    start = first
    let (span, overflow) = last.subtractingReportingOverflow(first)
    length = overflow ? .max : max(1, span)
  }

  /// The picture with its axis.
  var picture: String {
    var axis = ""
    for step in 0...8 {
      let x = Self.gutter + (Self.width - Self.gutter - 20) * step / 8
      let t = start + length / 8 * step
      axis += "<line x1=\"\(x)\" y1=\"\(Self.top - 8)\" x2=\"\(x)\" y2=\"\(height)\"/>"
      let anchor = step == 8 ? "end" : step == 0 ? "start" : "middle"
      axis += "<text class=\"faint\" x=\"\(x)\" y=\"14\" text-anchor=\"\(anchor)\">"
      axis += Markup.escaped(Quantity.span(t, unit)) + "</text>\n"
    }
    return axis + svg
  }

  private func tenths(_ t: Int) -> Int {
    let room = Double(Self.width - Self.gutter - 20)
    let tenths = (Double(Self.gutter) + room * (Double(t) - Double(start)) / Double(length)) * 10
    return Int(tenths.rounded())
  }

  private func x(_ t: Int) -> String {
    let tenths = tenths(t)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Begins a row; false where there are too many.
  private mutating func begin(_ label: String) -> Bool {
    guard rows < room else {
      omittedRows += 1
      return false
    }
    rows += 1
    last = [:]
    y += Self.row
    svg += "<text x=\"0\" y=\"\(y - 6)\">\(Markup.escaped(label))</text>\n"
    return true
  }

  private mutating func mark(_ t: Int, _ kind: String, _ title: String, isAction: Bool = false) {
    let tenths = tenths(t)
    if isDense, let other = last[kind], tenths - other < 5, tenths >= other { return covered += 1 }
    guard marks < Page.Limits.marks else { return omitted += 1 }
    marks += 1
    last[kind] = tenths
    let (place, middle) = (x(t), y - 10)
    let title = "<title>\(Markup.escaped(words.instant(t) + "  " + title))</title>"
    svg +=
      isAction
      ? "<rect class=\"\(kind)\" x=\"\(place)\" y=\"\(middle - 6)\" width=\"3\" height=\"12\">\(title)</rect>\n"
      : "<circle class=\"\(kind)\" cx=\"\(place)\" cy=\"\(middle)\" r=\"4\">\(title)</circle>\n"
  }

  // MARK: Lanes

  private mutating func drawLanes(_ trace: Trace) {
    var order: [Lane] = []
    var lanes: [Lane: [TraceLine]] = [:]
    for line in trace.lines {
      let lane = Lane(channel: line.channel, generation: line.channel == nil ? nil : line.generation)
      if lanes[lane] == nil { order.append(lane) }
      lanes[lane, default: []].append(line)
    }
    order.sort { left, right in
      guard let one = left.channel, let two = right.channel else {
        return left.channel != nil && right.channel == nil
      }
      return one == two ? (left.generation ?? 0) < (right.generation ?? 0) : one < two
    }
    for lane in order {
      guard let lines = lanes[lane], let first = lines.first, let last = lines.last else { continue }
      guard begin(lane.channel == nil ? "all" : words.channel(lane.channel, lane.generation)) else {
        omitted += lines.count
        continue
      }
      if lane.channel != nil {
        svg +=
          "<line class=\"life\" x1=\"\(x(first.t))\" y1=\"\(y - 10)\" x2=\"\(x(last.t))\" y2=\"\(y - 10)\"/>\n"
      }
      for line in lines {
        let phrase = Phrase(line.event, unit: unit)
        mark(line.t, phrase.effect == .ends ? "ends" : phrase.side.rawValue, words.line(line))
      }
    }
  }

  private mutating func draw(_ track: Track) {
    let channels = Set(track.actions.compactMap(\.line.channel)).sorted()
    for channel in channels {
      let actions = track.actions.filter { $0.line.channel == channel }
      guard begin("\(track.name) \(words.channel(channel, nil))") else {
        omitted += actions.count
        continue
      }
      for (line, verdict) in actions {
        let kind = verdict == .same ? "action" : verdict == .shifted ? "moved" : "differs"
        mark(line.t, kind, words.action(line), isAction: true)
      }
    }
  }
}

extension Page {
  /// Adds the lanes of a trace, and actions below.
  mutating func add(_ trace: Trace, _ words: Words, _ tracks: [LaneDrawing.Track], label: String) {
    let drawing = LaneDrawing.draw(trace, words, tracks)
    add(picture: drawing.picture, width: LaneDrawing.fullWidth, height: drawing.height, label: label)
    add(
      paragraph:
        "Discs are events, blue by the client, green by the peer, red where something ends, grey the "
        + "surroundings'; bars are actions, violet the same, yellow at another instant, red others.")
    if drawing.covered > 0 {
      add(paragraph: "\(drawing.covered) further events and actions lie on others of their kind.")
    }
    if drawing.omitted > 0 {
      let rows = drawing.omittedRows > 0 ? ", nor are \(drawing.omittedRows) rows" : ""
      add(paragraph: "\(drawing.omitted) further events and actions are not drawn\(rows).")
    }
  }
}
