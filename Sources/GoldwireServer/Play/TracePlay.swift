package import GoldwireTrace

/// Makes a script of a trace: the server's side of what happened, for whoever plays the client's.
///
/// What answers a client is played relative to what it answers, all else relative to its connection's opening. Messages
/// and bodies have the recorded sizes and meaningless content; event ids are the pseudonyms. Each channel takes the next
/// path that a client asks for, and its generations come one after the other; requests that are no stream's and no
/// WebSocket's are answered in the order of the recording, whatever their path.
package struct TracePlay {
  /// Microseconds in the trace's unit.
  let factor: Int
  /// The wall clock at t = 0 in µs; 0 where it is not known.
  let wall: Int
  private let lines: [TraceLine]
  private let scale: Int

  /// A play of a trace; `scale` multiplies all times, in millionths.
  package init(_ trace: Trace, scale: Int = 1_000_000) {
    factor = trace.header.unit == .ms ? 1_000 : 1
    wall = trace.header.wall ?? 0
    lines = trace.lines
    self.scale = scale
  }

  /// The script; an error where the trace has no side of a server.
  package func script() throws(TraceError) -> FaultScript {
    var script = FaultScript()
    script.claimsPaths = true
    script.endsWhenPlayed = true
    for (channel, generations) in channels(.ws) {
      _ = channel
      var rule = FaultRule()
      rule.webSocket = generations.map(socket)
      script.rules.append(rule)
    }
    for (_, generations) in channels(.sse) {
      var rule = FaultRule()
      rule.events = generations.map(stream)
      script.rules.append(rule)
    }
    var rule = FaultRule()
    rule.http = answers(lines.filter { $0.channel?.family == .http })
    if !rule.http.isEmpty { script.rules.append(rule) }
    if script.rules.isEmpty {
      throw TraceError(
        "expected a WebSocket, a request or an event stream: there is no server's side to play")
    }
    return script
  }

  /// The lines of each generation of each channel of a family, all in order.
  private func channels(_ family: Channel.Family) -> [(Channel, [[TraceLine]])] {
    var found: [Channel: [Int: [TraceLine]]] = [:]
    for line in lines {
      guard let channel = line.channel, channel.family == family, let generation = line.generation else {
        continue
      }
      found[channel, default: [:]][generation, default: []].append(line)
    }
    return found.sorted { $0.key < $1.key }.map { channel, generations in
      (channel, generations.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  /// The scaled microseconds from one instant of the trace to another, at least 0.
  func span(_ from: Int, _ to: Int) -> Int {
    let (long, isLong) = max(0, to - from).multipliedReportingOverflow(by: factor)
    let (scaled, isOver) = long.multipliedReportingOverflow(by: scale)
    return isLong || isOver ? .max / 4 : scaled / 1_000_000
  }

  /// The text of a Retry-After that is read as the recorded one was.
  func retryAfter(_ fields: RetryFields, at t: Int) -> AnswerBehaviour.RetryAfter? {
    switch fields.value {
    case nil: nil
    case .after(let seconds): .text(String(seconds))
    case .at(let instant):
      .date(
        seconds: instant - (fields.date ?? (wall + t * factor) / 1_000_000),
        form: fields.form == .rfc850 ? .rfc850 : fields.form == .asctime ? .asctime : .imf)
    case .bad(let fault): .text(Self.text(fault))
    }
  }

  /// A text that is no Retry-After for that reason.
  private static func text(_ fault: RetryFault) -> String {
    switch fault {
    case .sign: "+5"
    case .decimal: "0.5"
    case .unit: "5s"
    case .list, .differ: "2, 3"
    case .digits: "\u{0665}"
    case .empty: ""
    case .weekday: "Sun, 05 Nov 1994 08:49:37 GMT"
    case .zone: "Sun, 06 Nov 1994 08:49:37 UTC"
    case .over: "99999999999999999999"
    case .other: "soon"
    }
  }
}
