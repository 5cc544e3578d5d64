internal import GoldwireTrace

/// A line of a file that is compared: an event of a trace, or an action.
enum DiffLine: Equatable, Sendable {
  case event(TraceLine)
  case action(GoldenLine)

  /// The instant.
  var t: Int {
    switch self {
    case .event(let line): line.t
    case .action(let line): line.t
    }
  }

  /// The channel.
  var channel: Channel? {
    switch self {
    case .event(let line): line.channel
    case .action(let line): line.channel
    }
  }

  /// Where it belongs: only lines of one place are held against each other.
  var place: Place { Place(channel, part) }

  /// The connection or, in HTTP, the request that it belongs to; nil for none.
  var part: Int? {
    switch self {
    case .event(let line): line.channel?.family == .http ? line.event.req : line.generation
    case .action(let line): line.channel?.family == .http ? line.req : line.generation
    }
  }

  /// What happens, without its instant and its numbers.
  var signature: String {
    switch self {
    case .event(let line):
      switch line.event {
      case .httpSend(let send): "\(line.event.kind.rawValue) \(send.method.rawValue)"
      case .httpResponse(let response): "\(line.event.kind.rawValue) \(response.status ?? 0)"
      default: line.event.kind.rawValue
      }
    case .action(let line): line.action.description
    }
  }

  /// The same in another connection, or of another request.
  func numbered(_ number: Int) -> DiffLine {
    switch self {
    case .action(var line):
      if line.channel?.family == .http { line.req = number } else { line.generation = number }
      return .action(line)
    case .event(var line):
      guard line.channel?.family == .http else {
        line.generation = number
        return .event(line)
      }
      switch line.event {
      case .httpSend(var send):
        send.req = number
        line.event = .httpSend(send)
      case .httpResponse(var response):
        response.req = number
        line.event = .httpResponse(response)
      case .httpBody(var body):
        body.req = number
        line.event = .httpBody(body)
      case .httpError(_, let attempt, let cause, let sent):
        line.event = .httpError(req: number, try: attempt, cause: cause, sent: sent)
      case .httpWait(_, let attempt, let span, let unit):
        line.event = .httpWait(req: number, try: attempt, for: span, unit: unit)
      case .httpCancel: line.event = .httpCancel(req: number)
      case .httpStop(_, let why): line.event = .httpStop(req: number, why: why)
      default: break
      }
      return .event(line)
    }
  }

  /// How long a wait or a pause is that it tells of.
  var span: Int? {
    switch self {
    case .event(let line):
      switch line.event {
      case .httpWait(_, _, let span, _): span
      case .recPause(let span, _): span
      default: nil
      }
    case .action(let line): line.wait
    }
  }

  /// Whether another one of its kind is more than a shifted or changed line.
  var isOutcome: Bool {
    switch self {
    case .event(let line):
      switch line.event.kind {
      case .wsRefused, .wsClose, .wsEnd, .httpError, .httpCancel, .httpStop, .sseCut, .sseCancel: true
      default: false
      }
    case .action(let line): line.action.isOutcome
    }
  }

  /// The same with its instant and its span in microseconds, where they are in milliseconds.
  func converted(from unit: Unit, to other: Unit) -> DiffLine {
    guard unit != other else { return self }
    func scaled(_ length: Int) -> Int {
      let (product, overflow) = length.multipliedReportingOverflow(by: 1_000)
      return overflow ? (length < 0 ? .min : .max) : product
    }
    return with(t: scaled(t), span: span.map(scaled))
  }

  /// The same at another instant.
  func moved(by shift: Int) -> DiffLine {
    let (sum, overflow) = t.addingReportingOverflow(shift)
    return with(t: overflow ? (shift < 0 ? .min : .max) : sum, span: span)
  }

  /// Whether both are the same line, at whatever instant and of whatever span.
  func isSameLine(as other: DiffLine) -> Bool { with(t: 0, span: 0) == other.with(t: 0, span: 0) }

  private func with(t: Int, span: Int?) -> DiffLine {
    switch self {
    case .event(var line):
      line.t = t
      switch line.event {
      case .httpWait(let req, let attempt, let old, let unit):
        line.event = .httpWait(req: req, try: attempt, for: span ?? old, unit: unit)
      case .recPause(let old, let slept): line.event = .recPause(for: span ?? old, slept: slept)
      default: break
      }
      return .event(line)
    case .action(var line):
      line.t = t
      if line.wait != nil { line.wait = span }
      return .action(line)
    }
  }
}

extension Words {
  /// A line of a file that is compared, without its instant.
  func text(_ line: DiffLine) -> String {
    switch line {
    case .event(let line): self.line(line)
    case .action(let line): action(line)
    }
  }

  /// What became of a line, and by how much it was moved.
  func group(_ one: DiffLine?, _ two: DiffLine?) -> (String, Int) {
    switch (one, two) {
    case (.event(let one)?, .event(let two)?): return group(one, two)
    case (.event(let one)?, nil): return ("\(one.event.kind.rawValue) no longer there", 0)
    case (nil, .event(let two)?): return ("\(two.event.kind.rawValue) new", 0)
    case (.action(let one)?, .action(let two)?): return group(one, two)
    case (.action(let one)?, _): return group(one, nil)
    case (_, .action(let two)?): return group(nil, two)
    case (nil, nil): return ("", 0)
    }
  }

  private func group(_ one: TraceLine, _ two: TraceLine) -> (String, Int) {
    let (old, new) = (one.event.kind.rawValue, two.event.kind.rawValue)
    let (left, right) = (DiffLine.event(one), DiffLine.event(two))
    guard left.isSameLine(as: right) else {
      return (old == new ? "\(old) is another" : "\(old) is now \(new)", 0)
    }
    if one.t == two.t, let before = left.span, let after = right.span {
      return ("\(old) of \(span(before)) is now of \(span(after))", 0)
    }
    let (shift, overflow) = two.t.subtractingReportingOverflow(one.t)
    return ("\(old) shifted", overflow ? 0 : shift)
  }
}
