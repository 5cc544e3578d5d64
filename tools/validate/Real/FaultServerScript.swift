internal import GoldwireServer
internal import ValidationSimulator

extension RealScript {
  /// The script for the fault server, with all times divided by `scale`; `seed` is that of the path's jitter.
  ///
  /// Without `hasPath` something else plays the path. Bytes are held as TCP would: a first retransmission after the least
  /// wait and a round trip, a handshake's after a second, both scaled.
  func served(scale: Int, seed: UInt64, hasPath: Bool) throws -> GoldwireServer.FaultScript {
    let network = hasPath ? (path + faults.holes.map(hole)).joined(separator: ",") : ""
    let restarts =
      faults.resets.map { (at: $0, lasts: 0) }
      + faults.restarts.map { (at: $0.span.lowerBound, lasts: $0.span.count) }
    let listed = restarts.map { #"{"at":\#(Self.span($0.at)),"for":\#(Self.span($0.lasts))}"# }
    let text =
      #"{"script":1,"seed":\#(seed),"network":[\#(network)],"#
      + #""restarts":[\#(listed.joined(separator: ","))],"#
      + #""rules":[{"path":"*","websocket":{\#(behaviour.joined(separator: ","))}}]}"#
    return try GoldwireServer.FaultScript(json: Array(text.utf8), scale: 1_000_000 / scale)
  }

  private static func span(_ microseconds: Int) -> String { "\"\(microseconds)us\"" }

  /// The path's delay, and its changes: the largest of those that hold counts.
  private var path: [String] {
    func fault(_ more: Int, _ times: String) -> String {
      #"{"delay":\#(Self.span(faults.delay + more)),"jitter":\#(Self.span(faults.jitter))\#(times)}"#
    }
    var found = [fault(0, "")]
    for (index, step) in faults.steps.enumerated() where step.delay > 0 {
      var times = #","from":\#(Self.span(step.from))"#
      if index + 1 < faults.steps.count { times += #","until":\#(Self.span(faults.steps[index + 1].from))"# }
      found.append(fault(step.delay, times))
    }
    return found
  }

  private func hole(_ hole: ValidationSimulator.FaultScript.Hole) -> String {
    let way =
      switch hole.way {
      case .both: "both"
      case .up: "out"
      case .down: "in"
      }
    let rto = faults.leastWait + 2 * faults.delay + faults.jitter
    return #"{"hole":true,"way":"\#(way)","from":\#(Self.span(hole.span.lowerBound)),"#
      + #""until":\#(Self.span(hole.span.upperBound)),"rto":\#(Self.span(rto)),"syn":"1s"}"#
  }

  /// What the server does on each connection.
  private var behaviour: [String] {
    var keys: [String] = []
    if plan.traffic == .exchanges { keys.append(#""messages":"echo""#) }
    let pause: Int? =
      switch plan.traffic {
      case .none, .exchanges: nil
      case .inbound: 4_000_000
      case .sparse: 15_000_000
      case .dense: 1_500_000
      }
    if let pause {
      let every = Self.span(pause)
      keys.append(#""steps":{"at":\#(every),"send":"text","bytes":40,"count":1000,"every":\#(every)}"#)
    }
    if let idle = faults.idle {
      let kill = idle.kind == .active ? "reset" : "silent"
      keys.append(#""idleLimit":{"after":\#(Self.span(idle.after)),"kill":"\#(kill)"}"#)
    }
    if faults.leastGap > 0 {
      keys.append(
        #""pingLimit":{"pings":1,"per":\#(Self.span(faults.leastGap)),"kill":"close","code":1008}"#)
    }
    return keys
  }
}
