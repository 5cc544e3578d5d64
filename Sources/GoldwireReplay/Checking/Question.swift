internal import GoldwireTrace

/// One question to a trace: the actions of a machine with certain parameters.
struct Question {
  let trace: Trace
  let parameters: MachineParameters
  let tick: TickMode
  let detail: GoldenHeader.Detail?

  /// Why the answer of an open loop cannot be trusted.
  enum Doubt: Equatable {
    /// Other parameters were in force.
    case otherInForce
    /// Nobody knows which were in force.
    case unknownInForce
    /// The source does not know instants.
    case blindTimes
  }

  /// The answer: the lines of a golden, with the actions behind them.
  struct Answer {
    var replayed: Replayed
    /// The actions in the golden's detail, without the end.
    var actions: [ReplayedAction]
    var assume: [GoldenHeader.Assumption]
    var detail: GoldenHeader.Detail?

    /// The lines with the end.
    var lines: [GoldenLine] { actions.map(\.line) + [GoldenLine(.end, t: replayed.horizon)] }
  }

  /// Why the answer is no prediction; nil where the recording answers for these very parameters.
  var doubt: Doubt? {
    let header = trace.header
    if header.source == .written { return nil }
    if header.blind.contains(.times) { return .blindTimes }
    guard let inForce = ParameterSource.inForce(parameters.machine, header) else { return .unknownInForce }
    return inForce == parameters ? nil : .otherInForce
  }

  /// The tick that is used: the recorded client's own timers say nothing of other parameters.
  var effectiveTick: TickMode {
    if doubt == .otherInForce { return .exact }
    return TickMode.resolve(tick, source: trace.header.source, parameters: parameters.values)
  }

  /// Replays the trace.
  func answer(flipped: Tie? = nil, findsTies: Bool = false) throws(ReplayError) -> Answer {
    var options = ReplayOptions(tick: effectiveTick, findsTies: findsTies, flipped: flipped)
    options.foreign = foreign
    let (replayed, assume) = try TraceReplay.replay(trace, parameters, options: options)
    if let channel = replayed.runaway {
      throw ReplayError(
        "the machine of \(channel) asks to be woken without end; this is a fault of the machine")
    }
    var detail = detail
    if detail == nil, replayed.actions.count > Golden.Limits.actions, isNew { detail = .outcomes }
    let actions = detail == .outcomes ? replayed.actions.condensed() : replayed.actions
    return Answer(replayed: replayed, actions: actions, assume: assume, detail: detail)
  }

  /// Whether the golden is made now, so that its detail is ours to choose.
  var isNew = false
  /// Machines of another language that are asked.
  var foreign: ForeignSource?
}
