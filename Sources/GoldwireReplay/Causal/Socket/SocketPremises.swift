internal import GoldwireTrace

/// What a prediction takes for given beside the recording.
struct SocketPremises {
  /// The silence after which something between forgets a connection, in the trace's unit, as declared.
  var idle: Double?
  /// The server may punish pings that come faster than any that were recorded.
  var isPingRateUnknown = false
  /// What other traces of the same server tell of silences, in the trace's unit.
  var pool: SilenceRecord?
  /// The recording itself is one of those.
  var isInPool = false
  /// The best grade that anything can have.
  var best = Grade.observed
  /// It was not recorded at the client: how long its replies took to arrive is not in the recording.
  var isElsewhere: Bool { best < .observed }

  init() {}

  /// What is declared and pooled, in the unit of a trace with this header.
  init(_ assumptions: CausalAssumptions, _ pool: EvidencePool?, _ header: TraceHeader) {
    idle = assumptions.idle.map { Double($0.microseconds) / (header.unit == .us ? 1 : 1_000) }
    isPingRateUnknown = assumptions.pingRate == .unknown
    self.pool = pool?.silences(in: header.unit)
    isInPool = pool?.holdsAsked ?? false
    best = header.at == .client ? .observed : .bounded
  }
}
