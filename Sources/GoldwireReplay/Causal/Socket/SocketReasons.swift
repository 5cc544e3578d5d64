internal import GoldwireMachines
internal import GoldwireTrace

/// Why a prediction came out as it did, and what to record or declare in order to know, in words.
struct SocketReasons {
  let prediction: SocketPrediction
  let judgement: SocketPrediction.Judgement
  let words: Words

  private var evidence: SocketEvidence { prediction.evidence }

  /// The lines of a part's report.
  func lines(_ part: CausalPart) -> [String] {
    var lines = premises
    for branch in part.branches { lines.append(tell(branch)) }
    for end in judgement.splits.prefix(3) {
      if let why = explain(end.origin), !lines.contains(why) { lines.append(why) }
    }
    if judgement.verdict == .inconclusive, let end = judgement.surplus.first {
      lines.append(
        "a connection ends by \(end.cause.rawValue) at \(words.instant(end.earliest.whole)): one end more than was recorded "
          + "about then, or the same one for another reason")
    }
    for place in judgement.unsettled.prefix(1) where judgement.verdict == .inconclusive {
      let end = evidence.socket.connections[place].end ?? 0
      lines.append(
        "the recording ends before it shows whether the asked client too would have lost the connection that ended at "
          + "\(words.instant(end.whole)); record on for longer")
    }
    if judgement.isEmpty, evidence.socket.connections.contains(where: { $0.open != nil }) {
      lines.append("no ping of the asked client falls into the recording; record a longer session")
    }
    if judgement.verdict == .inconclusive, let line = judgement.doubtful {
      if judgement.splits.isEmpty || line.isOfSilence { lines += tell(doubtful: line) }
    }
    if lines.isEmpty || judgement.verdict == .same { lines.insert(counts(part), at: 0) }
    if let floor { lines.append(floor) }
    return lines
  }

  private func counts(_ part: CausalPart) -> String {
    let now = part.actions.count { $0.line.action == .ping }
    let then = evidence.socket.actions.count { $0.line.action == .ping }
    let pings = now == then ? Words.count(now, "ping") : "\(Words.count(now, "ping")) in place of \(then)"
    return "\(pings); every connection ends as it was recorded"
  }

  private var premises: [String] {
    var lines: [String] = []
    if evidence.socket.hole != nil {
      lines.append(
        evidence.socket.connections.isEmpty
          ? "nothing is known of it after the hole in the recording; record from a connect on"
          : "the recording has a hole, or begins in the middle of a connection: the asked client is taken up at "
            + "the next recorded ping or connect, and nothing is better than assumed")
    }
    if evidence.socket.isBlindToEnds {
      lines.append("the source cannot see how connections end")
    }
    if prediction.isEndless {
      lines.append(
        "more than \(SocketRun.Limits.steps) steps would follow; what comes after them is not told")
    }
    if evidence.contradictsDeclaredLimit, let longest = evidence.silences.survived.max() {
      lines.append(
        "the recording contradicts the declared limit: a silence of \(words.span(longest.whole)) was survived"
      )
    }
    return lines
  }

  // MARK: Branches

  private func tell(_ branch: CausalBranch) -> String {
    let action = words.action(branch.line)
    let when =
      branch.earliest == branch.latest
      ? "at \(words.instant(branch.earliest))"
      : "between \(words.instant(branch.earliest)) and \(words.instant(branch.latest))"
    switch branch.kind {
    case .gained: return "\(action) \(when), where the recorded connection lived on"
    case .lost: return "no longer: \(action), recorded \(when)"
    case .split:
      return branch.worlds == branch.of
        ? "\(action) \(when); the recording ends before it shows whether the reply would have come"
        : "in \(branch.worlds) of \(branch.of) worlds \(action) \(when), in the others not"
    }
  }

  /// Why the worlds disagree.
  private func explain(_ origin: SocketWorld.Origin) -> String? {
    switch origin {
    case .late(let index):
      let late = evidence.late[index]
      return
        "a reply came after \(words.span((late.answered - late.sent).whole)), far later than its neighbours: an "
        + "outage, a stall and a slow path would each explain it, and delay other pings in other ways"
    case .lull(let index):
      let lull = evidence.lulls[index]
      return
        "nothing came in from \(words.instant(lull.from.whole)) to \(words.instant(lull.until.whole)), and then more at once "
        + "than usual: an outage or a stall may have held it, and a ping there too"
    case .idle:
      guard let idle = evidence.idle else { return nil }
      return
        "connections may have ended by a limit on silence, between \(words.span(idle.limit.lo.whole)) and "
        + "\(words.span(idle.limit.hi.whole)): declare it by --assume idle=LENGTH, or pool traces of the server"
    case .rate(let session):
      return "connection \(session) may be punished for pings that come too fast, as a recorded one was"
    case .end(let number):
      guard let connection = evidence.socket.connection(number), let cause = connection.cause else {
        return nil
      }
      return cause.isFromOutside
        ? "the recorded connection ended by \(cause.rawValue) with data outstanding: by itself, or as the answer to it"
        : "a recorded ping was never answered: nobody saw when the path, or the server, was there again, and "
          + "whether it still knew the connection"
    case .other: return nil
    }
  }

  private func tell(doubtful line: SocketPrediction.Line) -> [String] {
    let when = "from \(words.instant(line.step.t.whole)) on"
    if line.grade == .unidentified { return ["\(when) the worlds that the recording allows for disagree"] }
    switch line.step.doubt {
    case .silence(let length):
      let longest = words.span((evidence.silences.survived.max() ?? 0).whole)
      let until = evidence.survivedAt.map { " (up to \(words.instant($0.whole)))" } ?? ""
      let needed = words.span(length.whole)
      let pooled = evidence.premises.pool == nil ? "" : ", nor in the pool"
      return [
        "\(when) pings follow \(needed) of silence, and no silence over \(longest)\(until) was survived here\(pooled)",
        "to know: record a session with silences of \(needed) or more, pool such traces of the same server "
          + "(\"pools\" in \(Configuration.file)), or declare the limit by --assume idle=LENGTH",
      ]
    case .rate(let gap):
      return [
        "\(when) pings come \(words.span(gap.whole)) apart, closer than any that were recorded "
          + "(\(words.span(evidence.shortestGap.whole))), and the server's patience is declared unknown"
      ]
    case .moved:
      return ["\(when) connections begin at other instants than the recorded ones: no more than assumed"]
    case .coupled:
      return ["\(when) it matters whether the client's own sending or silence ended a recorded connection"]
    case .after: return ["\(when) it lives on where the recorded connection had ended: no more than assumed"]
    case .elsewhere:
      return [
        "\(when) replies must come in time at the client, and it was not recorded there: nobody knows how long they "
          + "took; record at the client, or say so by --at client"
      ]
    case .margin(let length):
      return [
        "\(when) replies come within \(words.span(length.whole)) of the deadline, which is less than recorded round trips "
          + "differ by: no more than assumed"
      ]
    case .hole, nil: return []
    }
  }

  /// How many answers rest on nothing that could hide.
  private var proofs: String {
    let answers = prediction.lines.filter { $0.key.kind == .answer }
    guard !answers.isEmpty else { return "" }
    let proven = answers.count { $0.step.proof ?? $0.grade >= .bounded }
    return "; so far \(proven) of \(Words.count(answers.count, "answer")) are proved"
  }

  /// What could hide between two round trips, and how to see it.
  private var floor: String? {
    guard judgement.verdict != .regression, !judgement.isEmpty, !evidence.socket.connections.isEmpty else {
      return nil
    }
    // Where each ping is the recorded one, what it met is in the recording: nothing hides.
    guard prediction.lines.contains(where: { $0.grade < .observed }) else { return nil }
    let (gap, harmful) = prediction.floor
    guard gap > 0, gap > harmful else { return nil }
    let timeout = words.span(prediction.parameters.timeout)
    guard harmful > 0 else {
      return
        "a timeout of \(timeout) is shorter than TCP may take to send again where round trips take "
        + "\(words.span(evidence.trips.longest.whole)): a lost packet alone can close it"
    }
    return
      "round trips are up to \(words.span(gap.whole)) apart: an outage of \(words.span(harmful.whole)) or more could "
      + "hide between two and close a connection; to rule that out, record a round trip every "
      + "\(words.span(harmful.whole))\(proofs)"
  }
}

extension SocketPrediction.Line {
  /// Whether it is less firm for a silence that nobody has survived.
  fileprivate var isOfSilence: Bool {
    if case .silence? = step.doubt { grade == .assumed } else { false }
  }
}
