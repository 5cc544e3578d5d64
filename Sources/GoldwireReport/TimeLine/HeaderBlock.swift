package import GoldwireTrace

/// The rows above a time line: where the trace is from, and what was in force.
package enum HeaderBlock {
  /// Draws them.
  package static func rows(_ header: TraceHeader, name: String?, theme: Theme, width: Int) -> [String] {
    var rows: [String] = []
    if let name { rows += wrapped(name, to: width).map { theme.paint($0, .strong) } }
    rows +=
      row(
        "source",
        sentence(
          header.source.words, header.at.words, "clock \(header.clock.rawValue)",
          "in \(header.unit.rawValue)",
          header.grain.map { "grain \(Quantity.span($0, .us))" },
          header.beats.map { "beats of \($0.rawValue)" }), theme, width)
    rows += force(header).flatMap { row($0.label, $0.text, theme, width) }
    if !header.blind.isEmpty {
      rows += row("blind to", header.blind.map(\.words).joined(separator: ", "), theme, width)
    }
    return rows + [""]
  }

  private static func force(_ header: TraceHeader) -> [(label: String, text: String)] {
    guard let table = header.inForce else {
      return header.source == .written ? [] : [("in force", "unknown; cut --in-force states it")]
    }
    let by = header.inForceBy.map { ", \($0.words)" } ?? ""
    return MachineName.allCases.compactMap { machine in table[machine].map { (machine, $0) } }
      .enumerated().map { index, item in
        let values = ParameterName.allCases.compactMap { name in
          item.1[name].map { "\(name.rawValue) \($0.words)" }
        }
        return (
          index == 0 ? "in force" : "",
          "\(item.0.rawValue): \(values.joined(separator: ", "))\(index == 0 ? by : "")"
        )
      }
  }

  private static func row(_ label: String, _ text: String, _ theme: Theme, _ width: Int) -> [String] {
    wrappedAtCommas(text, to: width - labelWidth).enumerated().map { index, line in
      let lead = index == 0 ? label : ""
      return theme.paint(lead + String(repeating: " ", count: labelWidth - lead.count), .faint) + line
    }
  }

  private static let labelWidth = 10
}

extension ParameterValue {
  /// The value as options write it.
  package var words: String {
    switch self {
    case .span(let span): span.description
    case .number(let number): String(number)
    case .flag(let flag): flag ? "yes" : "no"
    case .word(let word): word.rawValue
    case .numbers(let numbers): numbers.map { String($0) }.joined(separator: "/")
    }
  }
}

extension Source {
  fileprivate var words: String {
    switch self {
    case .pcap: "packet capture"
    case .tap: "tap in the app"
    case .har: "HAR file"
    case .serve: "fault server"
    case .written: "written by hand"
    case .mutant: "mutant"
    }
  }
}

extension Vantage {
  fileprivate var words: String {
    switch self {
    case .client: "at the client"
    case .server: "at the server"
    case .middle: "in the middle"
    case .unknown: "place unknown"
    }
  }
}

extension Authority {
  fileprivate var words: String {
    switch self {
    case .driver: "said by the driver"
    case .stated: "as stated"
    case .inferred: "inferred"
    }
  }
}

extension Blind {
  fileprivate var words: String {
    switch self {
    case .wsPing: "pings"
    case .wsPong: "pongs"
    case .wsClose: "closes"
    case .wsEnd: "ends"
    case .app: "the app's state"
    case .handler: "handlers"
    case .tick: "timers"
    case .unit: "random units"
    case .times: "instants"
    }
  }
}
