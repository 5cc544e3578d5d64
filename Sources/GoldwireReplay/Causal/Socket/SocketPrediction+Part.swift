internal import GoldwireMachines
internal import GoldwireTrace

extension SocketPrediction {
  /// The prediction as one part of a report.
  func part(_ words: Words) -> CausalPart {
    let judgement = judgement
    var part = CausalPart(evidence.socket.channel, judgement.verdict)
    part.actions = actions
    part.branches = branches(judgement)
    part.reasons = SocketReasons(prediction: self, judgement: judgement, words: words).lines(part)
    return part
  }

  // MARK: Actions

  private var actions: [CausalAction] {
    var actions: [CausalAction] = []
    var before: [Int] = []
    for line in lines {
      let rests = self.lines(behind: line.step)
      switch line.key.kind {
      case .ping, .end:
        let own = line.key.kind == .ping ? [line.step.line].compactMap(\.self) + before : rests
        actions.append(action(line, lines: own.isEmpty ? rests : own))
      case .answer:
        before = rests
        // What a ping meets is its answer.
        if let last = actions.indices.last, actions[last].line.action == .ping {
          actions[last].proof = line.step.proof ?? line.grade
        }
      case .connect, .open: before = rests
      }
    }
    return actions
  }

  private func action(_ line: Line, lines: [Int]) -> CausalAction {
    var golden = Self.golden(line.step, evidence.socket.channel)
    golden.grade = line.grade
    return CausalAction(
      golden, earliest: line.earliest.whole, latest: line.latest.whole,
      proof: line.grade == .unidentified ? .unidentified : line.step.proof ?? line.grade,
      lines: Array(lines.unique.prefix(4)))
  }

  private static func golden(_ step: PredictedStep, _ channel: Channel) -> GoldenLine {
    GoldenLine(
      step.kind == .ping ? .ping : step.isClose ? .close : .ended, t: step.t.whole, channel: channel,
      generation: step.generation, why: step.cause.flatMap { ActionWord($0.rawValue) }, code: step.code)
  }

  // MARK: Branches

  private func branches(_ judgement: Judgement) -> [CausalBranch] {
    let connections = evidence.socket.connections
    var branches = judgement.extra.map { branch(.gained, $0) } + judgement.splits.map { branch(.split, $0) }
    for place in judgement.lost {
      let connection = connections[place]
      guard let end = connection.end, let cause = connection.cause else { continue }
      let line = GoldenLine(
        cause.isFromOutside ? .ended : .close, t: end.whole, channel: evidence.socket.channel,
        generation: connection.number, why: ActionWord(cause.rawValue), code: connection.code)
      branches.append(
        CausalBranch(
          .lost, line, earliest: end.whole, latest: end.whole, worlds: 0, of: worlds,
          lines: [connection.pings.last?.line, connection.endLine].compactMap(\.self).unique))
    }
    return branches.sorted { $0.earliest < $1.earliest }
  }

  private func branch(_ kind: CausalBranch.Kind, _ end: End) -> CausalBranch {
    var line = Self.golden(end.step, evidence.socket.channel)
    line.grade = end.isFirm ? end.grade : .unidentified
    return CausalBranch(
      kind, line, earliest: end.earliest.whole, latest: end.latest.whole, worlds: end.worlds, of: worlds,
      lines: Array(lines(behind: end.step).unique.prefix(4)))
  }

  // MARK: Evidence

  /// The trace lines that a step rests on.
  func lines(behind step: PredictedStep) -> [Int] {
    var lines = [step.line].compactMap(\.self)
    switch step.origin {
    case .end(let number):
      guard let connection = evidence.socket.connection(number) else { break }
      lines += [connection.pings.last?.line, connection.endLine].compactMap(\.self)
    case .late(let index): lines += [evidence.late[index].line].compactMap(\.self)
    case .idle: lines += evidence.idle?.lines.prefix(3) ?? []
    case .rate, .lull, .other, nil: break
    }
    if step.kind == .answer, step.grade < .observed, step.line == nil {
      lines += evidence.trips.lines(at: step.t)
    }
    return lines
  }
}

extension [Int] {
  /// The numbers without doubles, in their order.
  var unique: [Int] {
    var seen: Set<Int> = []
    return filter { seen.insert($0).inserted }
  }
}
