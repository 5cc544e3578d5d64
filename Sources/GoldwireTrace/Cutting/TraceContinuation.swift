/// Keeps what a recording that goes on in another file must tell again there, so that each file replays by itself.
///
/// As a ``TraceCut`` does, it pins at their own instants:
/// - of a living WebSocket session its connect, open and all since its last ping that went out, with a `rec.gap` of
///   `cut` behind the open where something between was left out;
/// - of a logical request that is under way, or may be tried again, all its lines;
/// - of an event stream all since its last connect.
///
/// What goes beyond the limits is left out, and a `rec.gap` says so. Pseudonyms count from 1 in each file.
public struct TraceContinuation {
  /// The limits of what is kept.
  public struct Limits: Equatable, Sendable {
    /// The most lines of one connection or logical request.
    public var linesOfChannel = 256
    /// The most lines of all together.
    public var lines = 262_144
    /// The most channels of one family: those that were silent for longest are forgotten first.
    public var channels = 65_536

    /// Makes the limits that the command uses.
    public init() {}
  }

  private var pins: ContinuationPins
  private var renumbering = PseudonymRenumbering()

  /// Makes one that has seen nothing, of a recording in this unit.
  public init(unit: Unit, limits: Limits = Limits()) { pins = ContinuationPins(unit: unit, limits: limits) }

  /// Makes one for a recorder that keeps the last lines in memory, of a client with these parameters.
  package init(flightOf parameters: ParameterTable?, unit: Unit, limits: Limits = Limits()) {
    pins = ContinuationPins(unit: unit, limits: limits, rules: ContinuationRules(flightOf: parameters))
  }

  /// Takes a line that is left out of what is kept.
  package mutating func leaveOut(_ line: TraceLine) { pins.note(line) }

  /// The lines to begin with where those that were left out end at an instant; pseudonyms are the recording's own.
  package mutating func pinned(at t: Int) -> [TraceLine] { pins.lines(at: t) }

  /// Takes the recording's next line, and gives it as the current file has it.
  public mutating func take(_ line: TraceLine) -> TraceLine {
    pins.note(line)
    return renumbering.apply(to: line)
  }

  /// Begins another file at an instant, and gives the lines that come first in it.
  public mutating func begin(at t: Int) -> [TraceLine] {
    renumbering = PseudonymRenumbering()
    return pins.lines(at: t).map { renumbering.apply(to: $0) }
  }
}
