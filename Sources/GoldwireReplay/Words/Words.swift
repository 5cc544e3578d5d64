public import GoldwireTrace

/// Instants, spans, actions and lines in words; in whole numbers, so that equal input gives equal text.
public struct Words: Sendable {
  /// The trace's unit.
  public var unit: Unit
  /// What people call the channels.
  public var configuration: Configuration

  /// Makes words for a trace in this unit.
  public init(_ unit: Unit, _ configuration: Configuration = Configuration()) {
    self.unit = unit
    self.configuration = configuration
  }

  /// An instant, to the last digit that the trace has: `30.030517s`, `1.100s`.
  public func instant(_ t: Int) -> String {
    let scale = unit == .us ? 1_000_000 : 1_000
    let digits = unit == .us ? 6 : 3
    let (seconds, rest) = t.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    let fraction = String(rest)
    return (t < 0 ? "-" : "") + "\(seconds)." + String(repeating: "0", count: digits - fraction.count)
      + fraction + "s"
  }

  /// A length of time, exactly: `5s`, `1ms`, `30.517ms`.
  public func span(_ length: Int) -> String {
    let (product, overflow) = length.magnitude.multipliedReportingOverflow(by: unit == .us ? 1 : 1_000)
    guard !overflow else { return "\(length)ms" }
    let sign = length < 0 ? "-" : ""
    if product == 0 { return "0s" }
    if product % 1_000_000 == 0 { return "\(sign)\(product / 1_000_000)s" }
    if product < 1_000 { return "\(sign)\(product)us" }
    if product < 1_000_000 { return sign + Self.decimal(product, per: 1_000, digits: 3) + "ms" }
    return sign + Self.decimal(product, per: 1_000_000, digits: 6) + "s"
  }

  private static func decimal(_ number: UInt, per scale: UInt, digits: Int) -> String {
    let (whole, rest) = number.quotientAndRemainder(dividingBy: scale)
    if rest == 0 { return String(whole) }
    var fraction = String(rest)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }

  /// A channel as people call it, with its connection: `ws1#2`, `chat (ws1)#2`.
  public func channel(_ channel: Channel?, _ generation: Int?) -> String {
    guard let channel else { return "" }
    let name = configuration.label(channel).map { "\($0) (\(channel))" } ?? channel.description
    return name + (generation.map { "#\($0)" } ?? "")
  }

  /// An action: `ws1#2 close: pongTimeout`.
  public func action(_ line: GoldenLine) -> String {
    var text = channel(line.channel, line.generation)
    if let req = line.req { text += " r\(req)" }
    if !text.isEmpty { text += " " }
    text += line.action.description
    switch line.action {
    case .send: text += line.attempt.map { " try \($0)" } ?? ""
    case .wait:
      text += (line.wait.map { " \(span($0))" } ?? "") + (line.attempt.map { " for try \($0)" } ?? "")
    case .ping: text += line.n.map { " ×\($0)" } ?? ""
    default:
      text += line.n.map { " event \($0)" } ?? ""
      text += line.attempt.map { " try \($0)" } ?? ""
      text += line.wait.map { " for \(span($0))" } ?? ""
    }
    if let id = line.id { text += " id \(Self.pseudonym(id))" }
    if let cursor = line.cursor {
      text += line.action == .connect ? " from " : " "; text += Self.pseudonym(cursor)
    }
    if let why = line.why { text += ": \(why)" }
    if let code = line.code { text += " \(code)" }
    if let grade = line.grade { text += " (\(grade.rawValue))" }
    return text
  }

  /// `e1`, or `""` for the empty id.
  static func pseudonym(_ number: Int) -> String { number == 0 ? "\"\"" : "e\(number)" }

  /// A number and a noun: `1 ping`, `3 pings`.
  static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}
