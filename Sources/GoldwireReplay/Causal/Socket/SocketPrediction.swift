internal import GoldwireMachines
internal import GoldwireTrace

/// What a client with other parameters would have done on one WebSocket channel.
struct SocketPrediction {
  /// What a step is in any world, whatever the number of failed connects before it.
  struct Key: Hashable {
    var kind: PredictedStep.Kind
    /// The session: a connection that opened.
    var session: Int
    /// The attempt to open it, or the number of the ping.
    var ordinal: Int
    /// Whether the connection never opened.
    var hasFailed = false
  }

  /// A step of the likeliest world, with what the others say of it.
  struct Line {
    var key: Key
    var step: PredictedStep
    /// When it happens at the earliest and at the latest.
    var earliest: Double
    var latest: Double
    var grade: Grade
  }

  /// The end of a session, aligned over the worlds by the recorded event that causes it.
  struct End {
    var origin: SocketWorld.Origin
    var cause: Heartbeat.Cause
    var earliest: Double
    var latest: Double
    /// How many worlds have it.
    var worlds: Int
    var isFirm: Bool
    var grade: Grade
    /// The end in the first world that has it.
    var step: PredictedStep
  }

  let evidence: SocketEvidence
  let parameters: Heartbeat.Parameters
  /// How many worlds were asked.
  let worlds: Int
  /// The likeliest world's steps, in order.
  let lines: [Line]
  /// What ends sessions, in order of time.
  let ends: [End]

  /// The client does more than a prediction can hold, so that its end is missing.
  let isEndless: Bool

  init(_ evidence: SocketEvidence, _ parameters: Heartbeat.Parameters) {
    self.evidence = evidence
    self.parameters = parameters
    var isEndless = false
    var runs: [[PredictedStep]] = []
    for choice in evidence.choices where !isEndless {
      var run = SocketRun(SocketWorld(evidence, choice), parameters)
      runs.append(run.run())
      isEndless = run.isEndless
    }
    self.isEndless = isEndless
    worlds = runs.count
    let margin = evidence.socket.horizon - 3 * Double(parameters.interval)
    let keys = Self.keys(runs.first ?? [])
    var others = runs.dropFirst().map { KeyedRun($0, Self.keys($0)) }
    var lines: [Line] = []
    lines.reserveCapacity(keys.count)
    for (key, step) in zip(keys, runs.first ?? []) { lines.append(Self.line(key, step, &others, margin)) }
    self.lines = lines
    ends = Self.ends(runs)
  }

  // MARK: Alignment

  /// A world's steps, which mostly come in the order of any other's.
  private struct KeyedRun {
    let steps: [PredictedStep]
    let keys: [Key]
    private var next = 0
    private var table: [Key: Int]?

    init(_ steps: [PredictedStep], _ keys: [Key]) { (self.steps, self.keys) = (steps, keys) }

    /// The place of the step of this key.
    mutating func place(of key: Key) -> Int? {
      if next < keys.count, keys[next] == key {
        next += 1
        return next - 1
      }
      if table == nil { table = Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first }) }
      guard let place = table?[key] else { return nil }
      next = place + 1
      return place
    }
  }

  /// Numbers sessions in place of connections.
  private static func keys(_ steps: [PredictedStep]) -> [Key] {
    let opened = Set(steps.filter { $0.kind == .open }.map(\.generation))
    var (session, attempt) = (1, 0)
    return steps.map { step in
      switch step.kind {
      case .connect:
        attempt += 1
        return Key(kind: .connect, session: session, ordinal: attempt)
      case .open: return Key(kind: .open, session: session, ordinal: 0)
      case .ping, .answer: return Key(kind: step.kind, session: session, ordinal: step.ordinal)
      case .end:
        guard opened.contains(step.generation) else {
          return Key(kind: .end, session: session, ordinal: attempt, hasFailed: true)
        }
        let key = Key(kind: .end, session: session, ordinal: 0)
        session += 1
        attempt = 0
        return key
      }
    }
  }

  /// What all worlds agree on keeps its weakest grade; all else is unidentified, but for the recording's edge.
  private static func line(
    _ key: Key, _ step: PredictedStep, _ others: inout [KeyedRun], _ margin: Double
  ) -> Line {
    var line = Line(key: key, step: step, earliest: step.t, latest: step.t, grade: step.grade)
    var agrees = true
    for index in others.indices {
      guard let place = others[index].place(of: key) else {
        if step.t <= margin { agrees = false }
        continue
      }
      let cause = others[index].steps[place].cause
      let (t, grade) = (others[index].steps[place].t, others[index].steps[place].grade)
      if cause != step.cause { agrees = false }
      line.earliest = min(line.earliest, t)
      line.latest = max(line.latest, t)
      if let proof = others[index].steps[place].proof, proof < line.step.proof ?? .observed {
        line.step.proof = proof
      }
      if grade < line.grade { (line.grade, line.step.doubt) = (grade, others[index].steps[place].doubt) }
    }
    if !agrees { line.grade = .unidentified }
    return line
  }

  private struct EndKey: Hashable {
    var origin: SocketWorld.Origin
    var cause: Heartbeat.Cause
  }

  private static func ends(_ runs: [[PredictedStep]]) -> [End] {
    var found: [EndKey: End] = [:]
    for steps in runs {
      let opened = Set(steps.filter { $0.kind == .open }.map(\.generation))
      var seen: Set<EndKey> = []
      for step in steps where step.kind == .end && opened.contains(step.generation) {
        guard let cause = step.cause else { continue }
        let key = EndKey(origin: step.origin ?? .other(step.generation), cause: cause)
        guard seen.insert(key).inserted else { continue }
        var end =
          found[key]
          ?? End(
            origin: key.origin, cause: cause, earliest: step.t, latest: step.t, worlds: 0, isFirm: false,
            grade: step.grade, step: step)
        end.earliest = min(end.earliest, step.t)
        end.latest = max(end.latest, step.t)
        end.worlds += 1
        end.grade = min(end.grade, step.grade)
        found[key] = end
      }
    }
    let ends = found.values.map { end in
      var end = end
      end.isFirm = end.worlds == runs.count
      return end
    }
    return ends.sorted { ($0.earliest, $0.cause.rawValue) < ($1.earliest, $1.cause.rawValue) }
  }
}
