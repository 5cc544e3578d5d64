public import GoldwireTrace

/// When a replay wakes the machines.
public enum TickMode: Equatable, Sendable {
  /// At each wake-up that a machine asks for.
  case exact
  /// At multiples of a length of time.
  case every(TimeSpan)
  /// At the recorded ticks and at each recorded action.
  case recorded

  /// Reads `exact`, `recorded` or `every:100ms`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    switch text {
    case "exact": self = .exact
    case "recorded": self = .recorded
    default:
      guard text.hasPrefix("every:"), let span = TimeSpan(text.dropFirst(6)), span.microseconds > 0 else {
        return nil
      }
      self = .every(span)
    }
  }

  /// What a test uses where nobody says otherwise: exact for written traces, recorded for all others.
  public static func standard(for source: Source) -> TickMode { source == .written ? .exact : .recorded }

  /// The mode asked for, or the standard one; always recorded for a recorded trace with a fixed cadence.
  ///
  /// A fixed cadence would carry each late timer of the recorded client on for ever; a mutant has none.
  public static func resolve(
    _ asked: TickMode?, source: Source, parameters: [ParameterName: ParameterValue]
  ) -> TickMode {
    if source != .written, source != .mutant, parameters[.cadence] == .word(.fixed) { return .recorded }
    return asked ?? standard(for: source)
  }
}

extension TickMode: CustomStringConvertible {
  /// The mode as files and options spell it.
  public var description: String {
    switch self {
    case .exact: "exact"
    case .every(let span): "every:\(span)"
    case .recorded: "recorded"
    }
  }
}
