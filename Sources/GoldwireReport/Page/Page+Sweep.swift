public import GoldwireReplay
internal import GoldwireTrace

extension Page {
  /// A sweep: delays against what they cost, and all points in a table.
  ///
  /// A point's disc is as large as its share of failures: false closes of a heartbeat, requests that failed, streams that
  /// were given up.
  public static func sweep(_ sweep: Sweep) -> Page {
    var page = Page("goldwire sweep: \(sweep.grid.axes.map(\.name.rawValue).joined(separator: " × "))")
    for warning in sweep.warnings { page.add(paragraph: "warning: \(warning)") }
    let (across, up, disc) = names(sweep.machine)
    let chart = SweepChart(sweep, across: across, up: up)
    if chart.isEmpty {
      page.add(paragraph: "No point has a delay that could be drawn.")
    } else {
      page.add(
        picture: chart.picture, width: SweepChart.width, height: SweepChart.height,
        label: "\(up) against \(across), a disc for each point")
      page.add(
        paragraph: "A disc for each point, the larger the more \(disc); ringed are those that no other beats."
      )
      if chart.omitted > 0 {
        let verb = chart.omitted == 1 ? "has no delay, and stands" : "have no delay, and stand"
        page.add(paragraph: "\(Quantity.count(chart.omitted, "point")) \(verb) in the table alone.")
      }
    }
    let (head, rows) = sweep.cells
    page.add(table: head, rows, strong: sweep.best)
    return page
  }

  private static func names(_ machine: MachineName) -> (across: String, up: String, disc: String) {
    switch machine {
    case .heartbeat: ("pings", "median detection", "false closes")
    case .retry: ("sends", "median time to success", "failed requests")
    case .stream: ("connections", "median time to catch up", "streams given up")
    }
  }
}

/// The points of a sweep by what they cost and what they bring.
private struct SweepChart {
  static let width = 760
  static let height = 420
  private static let (left, right, top, bottom) = (90, 30, 20, 50)

  private struct Point {
    var index: Int
    var cost: Int
    var delay: Int
    var failures: Int
  }

  private let points: [Point]
  private let sweep: Sweep
  private let across: String
  private let up: String

  init(_ sweep: Sweep, across: String, up: String) {
    self.sweep = sweep
    self.across = across
    self.up = up
    points = sweep.tallies.enumerated().compactMap { index, tally in
      tally.delay(perMille: 500).map {
        Point(index: index, cost: tally.sends, delay: $0, failures: tally.failures)
      }
    }
  }

  var isEmpty: Bool { points.isEmpty }
  /// How many points have nothing that could be drawn.
  var omitted: Int { sweep.tallies.count - points.count }

  var picture: String {
    let most = (
      cost: max(1, points.map(\.cost).max() ?? 1), delay: max(1, points.map(\.delay).max() ?? 1),
      failures: max(1, points.map(\.failures).max() ?? 1)
    )
    let room = (Self.width - Self.left - Self.right, Self.height - Self.top - Self.bottom)
    func x(_ cost: Int) -> Int { Self.left + Self.scaled(cost, to: room.0, of: most.cost) }
    func y(_ delay: Int) -> Int { Self.height - Self.bottom - Self.scaled(delay, to: room.1, of: most.delay) }
    var svg = ""
    for step in 0...4 {
      let (cost, delay) = (Self.part(step, of: most.cost), Self.part(step, of: most.delay))
      svg +=
        "<line x1=\"\(Self.left)\" y1=\"\(y(delay))\" x2=\"\(Self.width - Self.right)\" y2=\"\(y(delay))\"/>"
      svg += "<text class=\"faint\" x=\"\(Self.left - 8)\" y=\"\(y(delay) + 4)\" text-anchor=\"end\">"
      svg += Markup.escaped(Quantity.span(delay, .us)) + "</text>"
      svg +=
        "<text class=\"faint\" x=\"\(x(cost))\" y=\"\(Self.height - 30)\" text-anchor=\"middle\">\(cost)</text>\n"
    }
    svg +=
      "<text x=\"\(Self.left + room.0 / 2)\" y=\"\(Self.height - 8)\" text-anchor=\"middle\">\(across)</text>"
    svg += "<text x=\"4\" y=\"12\">\(up)</text>\n"
    for point in points {
      let isBest = sweep.best.contains(point.index)
      let radius = 4 + Self.scaled(point.failures, to: 10, of: most.failures)
      let kind = (point.failures > 0 ? "ends" : "peer") + (isBest ? " best" : "")
      let values = zip(sweep.grid.axes, sweep.grid.values(at: point.index))
        .map { "\($0.name.rawValue) \($1.words)" }.joined(separator: ", ")
      svg +=
        "<circle class=\"\(kind)\" fill-opacity=\"0.7\" cx=\"\(x(point.cost))\" cy=\"\(y(point.delay))\" "
      svg += "r=\"\(radius)\"><title>\(Markup.escaped(values)): \(point.cost) \(across), "
      svg += "\(Markup.escaped(Quantity.span(point.delay, .us)))</title></circle>\n"
    }
    return svg
  }

  /// So many quarters of a number.
  private static func part(_ quarters: Int, of most: Int) -> Int {
    most / 4 * quarters + most % 4 * quarters / 4
  }

  /// A number between 0 and `most` as so many of `room`.
  private static func scaled(_ number: Int, to room: Int, of most: Int) -> Int {
    Int((Double(number) / Double(most) * Double(room)).rounded())
  }
}
