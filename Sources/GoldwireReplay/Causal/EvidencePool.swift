internal import GoldwireMachines
public import GoldwireTrace

/// What several traces of one server tell of silences and of gaps between pings.
///
/// A heartbeat keeps silences below its own interval, so that one trace hardly ever says what a longer one meets.
public struct EvidencePool: Equatable, Sendable {
  /// How many traces it holds.
  public private(set) var traces = 0
  /// Whether the trace that is asked is one of them.
  public var holdsAsked = false
  /// In microseconds.
  private(set) var silences = SilenceRecord()

  /// Makes an empty pool.
  public init() {}

  /// Adds what a trace tells; one that does not say which parameters were in force tells nothing.
  public mutating func add(_ trace: Trace) {
    guard let asked = ParameterSource.inForce(.heartbeat, trace.header),
      let parameters = try? asked.heartbeat(trace.header.unit),
      !trace.header.blind.contains(.times),
      let (replayed, _) = try? TraceReplay.replay(trace, asked, options: ReplayOptions(tick: .recorded))
    else { return }
    traces += 1
    let factor = trace.header.unit == .us ? 1.0 : 1_000.0
    for socket in SocketReader.sockets(in: trace, parameters, replayed: replayed) {
      silences.add(SocketEvidence(socket).silences.scaled(by: factor))
    }
  }

  /// What it tells in a trace's unit; nil of an empty one.
  func silences(in unit: Unit) -> SilenceRecord? {
    traces == 0 ? nil : silences.scaled(by: unit == .us ? 1 : 0.001)
  }
}
