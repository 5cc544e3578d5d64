public import GoldwireTrace

/// Two traces, or two files of actions, held against each other.
public struct FileDifference: Sendable {
  /// What is asked.
  public struct Options: Sendable {
    /// How far apart instants, and lengths of waits, may be and still be the same.
    public var within = TimeSpan(microseconds: 0)
    /// Whether the second file is moved so that the first line that both have stands at one instant.
    public var aligns = false
    /// The only channels that are looked at; nil for all.
    public var channels: Set<Channel>?
    /// Whether all differences are told, and not only those near the first.
    public var showsAll = false

    /// Asks for everything, to the last digit.
    public init() {}
  }

  /// Lines that stand across from each other.
  struct Pair: Equatable {
    /// The place of the first file's line, among those that are looked at.
    var one: Int?
    /// The place of the second file's.
    var two: Int?
    /// How they differ.
    var verdict: Comparison.Verdict
  }

  /// The lines of one file that are looked at.
  struct Side {
    var lines: [DiffLine] = []
    /// The same with the numbers that connections and requests have in the first file.
    var compared: [DiffLine] = []
    /// The same as they stand in the file.
    var written: [DiffLine] = []
    /// Their numbers in the file.
    var numbers: [Int] = []
  }

  /// How the first lines differ, in words.
  public let headers: [String]
  /// Which connections and requests stand alone, and which belong together under other numbers, in words.
  public let parts: [String]
  /// By how much the second file was moved, in the unit of the comparison.
  let shift: Int
  let words: Words
  let options: Options
  let one: Side
  let two: Side
  let pairs: [Pair]

  /// Holds two files against each other.
  ///
  /// Throws where one is a trace and the other is not.
  public init(_ first: DiffFile, _ second: DiffFile, _ options: Options = Options()) throws(ReplayError) {
    switch (first, second) {
    case (.trace(let one), .trace(let two)): headers = Self.differences(one.header, two.header)
    case (.actions(let one), .actions(let two)): headers = Self.differences(one.header, two.header)
    default:
      throw ReplayError(
        "one is \(first.kind), the other \(second.kind); `goldwire test` holds a trace against its goldens")
    }
    let unit: Unit = first.unit == second.unit ? first.unit : .us
    words = Words(unit)
    self.options = options
    let one = Side(first, in: unit, options.channels)
    var two = Side(second, in: unit, options.channels)
    let counterparts = Counterparts(one.lines, two.lines)
    parts = counterparts.notes
    if !parts.isEmpty { two.compared = two.lines.map(counterparts.renumbered) }
    let matches = Alignment.pairs(one.compared, two.compared, place: \.place, instant: \.t) {
      $0.isSameLine(as: $1)
    }
    var shift = 0
    if options.aligns {
      let common = matches.lazy.compactMap { l, r -> Int? in
        guard let l, let r, one.compared[l].isSameLine(as: two.compared[r]) else { return nil }
        return one.lines[l].t.subtractingReportingOverflow(two.lines[r].t).partialValue
      }
      shift = common.first ?? 0
      two.lines = two.lines.map { [shift] in $0.moved(by: shift) }
      two.compared = two.compared.map { [shift] in $0.moved(by: shift) }
    }
    self.shift = shift
    let slack = options.within.roundedUp(in: unit)
    pairs = matches.map { l, r in
      Pair(
        one: l, two: r, verdict: Self.verdict(l.map { one.compared[$0] }, r.map { two.compared[$0] }, slack))
    }
    (self.one, self.two) = (one, two)
  }

  private static func verdict(_ one: DiffLine?, _ two: DiffLine?, _ slack: Int) -> Comparison.Verdict {
    guard let one, let two, one.isSameLine(as: two) else {
      return one?.isOutcome ?? false || two?.isOutcome ?? false ? .outcome : .changed
    }
    func isNear(_ left: Int, _ right: Int) -> Bool {
      let (distance, overflow) = left.subtractingReportingOverflow(right)
      return !overflow && distance.magnitude <= slack.magnitude
    }
    return isNear(one.t, two.t) && isNear(one.span ?? 0, two.span ?? 0) ? .same : .shifted
  }

  /// How many pairs there are of each verdict.
  func count(of verdict: Comparison.Verdict) -> Int { pairs.count { $0.verdict == verdict } }

  /// Whether nothing differs.
  public var isSame: Bool { headers.isEmpty && parts.isEmpty && pairs.allSatisfy { $0.verdict == .same } }

  // MARK: First lines

  /// What both first lines say otherwise, but for who wrote them and when.
  private static func differences(_ one: TraceHeader, _ two: TraceHeader) -> [String] {
    func list(_ blind: [Blind]) -> String {
      blind.isEmpty ? "nothing" : blind.map(\.rawValue).joined(separator: " ")
    }
    return told([
      ("source", one.source.rawValue, two.source.rawValue), ("unit", one.unit.rawValue, two.unit.rawValue),
      ("clock", one.clock.rawValue, two.clock.rawValue),
      ("grain", one.grain.map(String.init), two.grain.map(String.init)),
      ("at", one.at.rawValue, two.at.rawValue), ("blind to", list(one.blind), list(two.blind)),
      ("in force by", one.inForceBy?.rawValue, two.inForceBy?.rawValue),
      ("beats", one.beats.map { "\($0)" }, two.beats.map { "\($0)" }),
    ]) + MachineName.allCases.flatMap { changes($0, one.inForce?[$0], two.inForce?[$0]) }
  }

  private static func differences(_ one: GoldenHeader, _ two: GoldenHeader) -> [String] {
    func assumed(_ header: GoldenHeader) -> String {
      header.assume.isEmpty ? "nothing" : header.assume.map(\.rawValue).joined(separator: " ")
    }
    func named(_ header: GoldenHeader) -> (set: String?, values: [ParameterName: ParameterValue]?) {
      switch header.parameters {
      case .set(let name): (name, nil)
      case .literal(let values): (nil, values)
      }
    }
    let values = one.machine == two.machine ? one.builtIn : nil
    return told([
      ("machine", one.machine.description, two.machine.description),
      ("set", named(one).set, named(two).set), ("mode", one.mode.rawValue, two.mode.rawValue),
      ("tick", one.tick.description, two.tick.description),
      ("detail", one.detail?.rawValue ?? "all", two.detail?.rawValue ?? "all"),
      ("taken for granted", assumed(one), assumed(two)), ("unit", one.unit.rawValue, two.unit.rawValue),
    ]) + (values.map { changes($0, named(one).values, named(two).values) } ?? [])
  }

  private static func told(_ parts: [(name: String, old: String?, new: String?)]) -> [String] {
    parts.filter { $0.old != $0.new }.map { "\($0.name) \($0.old ?? "unsaid") → \($0.new ?? "unsaid")" }
  }

  /// What differs in the parameters of a machine, what is left out standing for its default.
  private static func changes(
    _ machine: MachineName, _ old: [ParameterName: ParameterValue]?, _ new: [ParameterName: ParameterValue]?
  ) -> [String] {
    guard old != new else { return [] }
    func complete(_ values: [ParameterName: ParameterValue]?) -> [ParameterName: ParameterValue] {
      guard let values else { return [:] }
      return (try? MachineParameters(machine, values))?.values ?? values
    }
    let (old, new) = (complete(old), complete(new))
    return told(
      ParameterName.allCases.map { ("\(machine.rawValue).\($0.rawValue)", old[$0]?.words, new[$0]?.words) })
  }
}

extension FileDifference.Side {
  /// The lines of a file, those of some channels and of none.
  fileprivate init(_ file: DiffFile, in unit: Unit, _ channels: Set<Channel>?) {
    func take(_ line: DiffLine, _ number: Int) {
      if let channels, let channel = line.channel, !channels.contains(channel) { return }
      written.append(line)
      lines.append(line.converted(from: file.unit, to: unit))
      numbers.append(number)
    }
    defer { compared = lines }
    switch file {
    case .trace(let trace):
      for (index, line) in trace.lines.enumerated() { take(.event(line), trace.lineNumber(at: index)) }
    case .actions(let golden):
      for (index, line) in golden.lines.enumerated() { take(.action(line), index + 2) }
    }
  }
}
