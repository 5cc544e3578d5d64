internal import GoldwireTrace

/// The backoff of a client's retries, their number, and what they follow.
struct RetryInference {
  private let seen: RetryObservations
  /// Whether the client waited for no Retry-After: then its waits are all its own.
  private let ignoresServer: Bool
  private let tolerance: TimerTolerance
  private let header: TraceHeader
  private let words: Words
  private(set) var values: [InferredValue] = []
  /// Why the machine cannot stand for the client; nil where it can.
  private(set) var mismatch: String?

  init(_ trace: Trace, _ tolerance: TimerTolerance) {
    let seen = RetryObservations(trace)
    let asked = seen.waits.filter { ($0.server ?? 0) > 0 }
    ignoresServer =
      !asked.isEmpty && asked.allSatisfy { $0.length < ($0.server ?? 0) - tolerance.early }
    self.seen = seen
    self.tolerance = tolerance
    header = trace.header
    words = Words(header.unit)
    backoff()
    values.append(count())
    values.append(retryAfter())
    values.append(statuses())
    values.append(transport())
  }

  private var local: [RetryObservations.Wait] { waits.filter { $0.server == nil } }

  /// The waits, without what the server asked for where the client pays no heed to it.
  private var waits: [RetryObservations.Wait] {
    guard ignoresServer else { return seen.waits }
    return seen.waits.map { wait in
      var wait = wait
      wait.server = nil
      return wait
    }
  }

  // MARK: Waits

  private mutating func backoff() {
    guard !local.isEmpty else {
      values.append(
        InferredValue(
          "base", .untold,
          remark: seen.waits.isEmpty ? "no request was sent again" : "the server set every wait",
          record: "answers of 503 without Retry-After, three in a row or more"))
      return
    }
    var fits = BackoffFit.Kind.allCases.compactMap {
      BackoffFit($0, waits, tolerance, isFirstAtOnce: false)
    }
    let late = BackoffFit.Kind.allCases.compactMap {
      BackoffFit($0, waits, tolerance, isFirstAtOnce: true)
    }
    // A first retry at once is only said where no jitter but the one from nothing explains it.
    let isAtOnce = !late.isEmpty && fits.allSatisfy { $0.kind == .full || $0.kind == .decorrelated }
    let isOnlyAtOnce = isAtOnce && fits.isEmpty
    if isAtOnce { fits = late + fits }
    values.append(jitter(fits))
    values.append(first(isAtOnce: isAtOnce, isOnly: isOnlyAtOnce, isPossible: !late.isEmpty))
    // The narrowest kind that explains the waits also lies in the machine's band.
    let chosen = fits.first
    mismatch = mismatch(chosen)
    for fit in fits {
      let isChosen = fit.kind == chosen?.kind && fit.isFirstAtOnce == chosen?.isFirstAtOnce
      describe(fit, isChosen: isChosen, isTaken: isChosen && mismatch == nil)
    }
    if let chosen { values.append(cap(chosen)) }
  }

  /// Why the machine cannot wait as the client does.
  private func mismatch(_ chosen: BackoffFit?) -> String? {
    guard let chosen else { return "no jitter, base and factor explain the waits" }
    if chosen.isFirstAtOnce { return "the machine knows no first retry at once" }
    switch chosen.kind {
    case .none, .equal: break
    case .full, .decorrelated:
      return "the waits spread wider than from half of the delay to all of it, which is the machine's jitter"
    }
    return taken(chosen) == nil ? "no whole factor explains the waits, and the machine has no other" : nil
  }

  private func jitter(_ fits: [BackoffFit]) -> InferredValue {
    let odds = fits.compactMap { fit -> String? in
      guard let rarity = fit.rarity(waits, tolerance), rarity >= 100 else { return nil }
      return
        "with \(fit.kind.rawValue) waits so alike would come once in \(Self.times(rarity)) recordings"
    }
    var value = InferredValue(
      "jitterKind", .words(unique(fits.map(\.kind.rawValue))), observations: local.count,
      lines: local.map(\.line),
      remark: odds.isEmpty ? nil : unique(odds).joined(separator: "; "))
    if fits.isEmpty {
      value.value = .untold
      value.remark = "no base and factor explain the waits"
    } else if fits.count > 1 {
      value.record = "more retries: several requests that are answered by 503 three times or more"
    }
    return value
  }

  private func unique(_ names: [String]) -> [String] {
    names.enumerated().filter { names.firstIndex(of: $0.element) == $0.offset }.map(\.element)
  }

  private func first(isAtOnce: Bool, isOnly: Bool, isPossible: Bool) -> InferredValue {
    let first = local.filter { $0.index == 0 }
    let names = isOnly ? ["atOnce"] : isAtOnce || isPossible ? ["atOnce", "delayed"] : ["delayed"]
    return InferredValue(
      "firstRetry", first.isEmpty ? .untold : .words(names), observations: first.count,
      lines: first.map(\.line),
      remark: isAtOnce
        ? (isOnly ? "" : "delayed only if the jitter begins at nothing; ")
          + "the machine knows no first retry at once"
        : nil)
  }

  private mutating func describe(_ fit: BackoffFit, isChosen: Bool, isTaken: Bool) {
    guard let base = fit.base else { return }
    let condition = fit.kind.rawValue + (fit.isFirstAtOnce ? ", first at once" : "")
    let taken = isTaken ? taken(fit) : nil
    values.append(
      InferredValue(
        "base", .span(low: base.low, high: base.high), observations: local.count, lines: extremes,
        condition: condition, taken: taken.map { header.parameter($0.base) }))
    let value: InferredValue.Value = fit.factor.map { .factor(low: $0.low, high: $0.high) } ?? .untold
    if fit.factor != nil || isTaken {
      values.append(
        InferredValue(
          "factor", value, observations: fit.factor == nil ? 0 : local.count,
          lines: fit.factor == nil ? [] : extremes, condition: condition,
          record: fit.factor == nil ? "two answers of 503 in a row or more" : nil,
          taken: taken.map { .number($0.factor) }))
    }
    describeCap(fit, condition, isChosen ? fit.heap(waits, tolerance) : nil, isTaken: isTaken)
  }

  /// The cap that the waits show, and on which side of the jitter it stands.
  private mutating func describeCap(
    _ fit: BackoffFit, _ condition: String, _ heap: CapHeap?, isTaken: Bool
  ) {
    guard var cap = fit.cap else { return }
    let isBehind = heap.map { $0.rarity >= CapHeap.least } ?? false
    if let heap, isBehind { cap = (heap.cap.low, heap.cap.high) }
    let most = cap.high ?? max(cap.low, local.map(\.length).max() ?? 1)
    values.append(
      InferredValue(
        "cap", .span(low: cap.low, high: cap.high), observations: local.count, lines: extremes,
        condition: condition, remark: "the waits stop growing",
        taken: isTaken
          ? TimerFit.roundest(from: cap.low, through: most, header.unitMicroseconds).map(header.parameter)
          : nil))
    guard isTaken || isBehind else { return }
    var value = InferredValue(
      "jitter", .words(["afterCap", "beforeCap"]), observations: local.count, lines: extremes,
      condition: condition, taken: isTaken ? .word(.afterCap) : nil)
    if let heap, heap.rarity >= 100 {
      let count = heap.lines.count
      value.remark =
        "\(count) of \(local.count) waits are alike at the longest one; with afterCap so many would come once in "
        + "\(Self.times(heap.rarity)) recordings"
      if isBehind {
        (value.value, value.observations, value.lines) = (.words(["beforeCap"]), count, heap.lines)
        if isTaken { value.taken = .word(.beforeCap) }
      } else {
        value.record = "more waits at the cap, or state a smaller --slack"
      }
    }
    values.append(value)
  }

  /// One in how many, in words.
  private static func times(_ rarity: Double) -> String {
    rarity >= 1e9 ? "a thousand million" : "\(Int(rarity))"
  }

  /// A whole factor, two where that is allowed, and the roundest base that explains the waits with it; nil for none.
  private func taken(_ fit: BackoffFit) -> (base: Int, factor: Int)? {
    let longest = local.map(\.length).max() ?? 1
    for factor in [2, 1] + Array(3...10) {
      guard let bases = fit.bases(at: Double(factor), waits, tolerance) else { continue }
      let high = bases.high ?? max(bases.low, longest)
      if let base = TimerFit.roundest(from: bases.low, through: high, header.unitMicroseconds) {
        return (base, factor)
      }
    }
    return nil
  }

  /// The longest wait that the client took; none says how long one may be at most.
  private func cap(_ fit: BackoffFit) -> InferredValue {
    let most = seen.waits.max { $0.length < $1.length }
    let length = most?.length ?? 0
    let standard = 30_000_000 / header.unitMicroseconds
    return InferredValue(
      "longestWait", .span(low: max(1, length - tolerance.slack), high: nil), observations: seen.waits.count,
      lines: most.map { [$0.line] } ?? [], record: "more failures in a row, until the waits stop growing",
      taken: fit.cap == nil && length > standard ? header.parameter(length + tolerance.slack) : nil)
  }

  /// The lines of the shortest and the longest wait.
  private var extremes: [Int] {
    let sorted = local.sorted { $0.length < $1.length }
    return [sorted.first?.line, sorted.last?.line].compactMap(\.self)
  }
}

// MARK: - What retries follow

extension RetryInference {
  /// For how long a recording must go on after an answer, so that no retry means none.
  private var patience: Int {
    max(4 * (seen.waits.map(\.length).max() ?? 0), 10_000_000 / header.unitMicroseconds)
  }

  private func count() -> InferredValue {
    let most = seen.mostRetries.count
    let ends = seen.givenUp.filter { end in
      (end.server == nil || ignoresServer)
        && end.status.map { seen.retried[$0] != nil || [429, 503].contains($0) } ?? false
    }
    let final = ends.filter { $0.patience >= patience || $0.retries > 0 && $0.retries == most }
    let lines = (most > 0 ? [seen.mostRetries.line] : []) + final.map(\.line)
    guard let least = final.map(\.retries).min() else {
      return InferredValue(
        "count", .count(low: most, high: nil), observations: most > 0 ? 1 : 0, lines: lines,
        remark: ends.isEmpty ? nil : "the recording ends too soon after the last answer",
        record: "a server that answers 503 until the client gives up", taken: most > 0 ? .number(most) : nil)
    }
    guard least == most else {
      return InferredValue(
        "count", .count(low: most, high: nil), observations: final.count + 1, lines: lines,
        remark: "one request was given up after \(Words.count(least, "retry", "retries")), another was not",
        record: "a server that answers 503 until the client gives up", taken: .number(most))
    }
    return InferredValue(
      "count", .count(low: most, high: most), observations: final.count, lines: lines,
      remark: "given up after \(Words.count(most, "retry", "retries"))", taken: .number(most))
  }

  private func retryAfter() -> InferredValue {
    let asked = seen.waits.filter { ($0.server ?? 0) > 0 }
    let early = asked.filter { $0.length < ($0.server ?? 0) - tolerance.early }
    guard !asked.isEmpty else {
      return InferredValue(
        "retryAfter", .untold, record: "an answer of 503 with a Retry-After longer than the client's own wait"
      )
    }
    return InferredValue(
      "retryAfter", .flag(early.isEmpty), observations: asked.count,
      lines: (early.isEmpty ? asked : early).map(\.line),
      remark: early.isEmpty || early.count == asked.count
        ? nil : "honoured in \(asked.count - early.count) of \(asked.count)")
  }

  private func statuses() -> InferredValue {
    let retried = seen.retried.keys.sorted()
    let not = Set(seen.givenUp.filter { $0.retries == 0 && $0.patience >= patience }.compactMap(\.status))
      .subtracting(retried).sorted()
    var remarks: [String] = []
    if !not.isEmpty { remarks.append("not after " + not.map(String.init).joined(separator: ", ")) }
    if header.source == .pcap { remarks.append("a capture joins sends after 429, 503 and errors alone") }
    var value = InferredValue(
      "statuses", retried.isEmpty ? .untold : .numbers(retried),
      observations: seen.retried.values.joined().count,
      lines: seen.retried.values.compactMap(\.first), remark: remarks.joined(separator: "; "))
    if retried.isEmpty { value.record = "answers of each status in question" }
    let known = retried.filter { (400...599).contains($0) }
    if !known.isEmpty { value.taken = .numbers(Set(known + [429, 503]).subtracting(not).sorted()) }
    return value
  }

  private func transport() -> InferredValue {
    let (again, final) = seen.failures
    guard !again.isEmpty || !final.isEmpty else {
      return InferredValue("transport", .untold, record: "a connection that breaks before an answer")
    }
    return InferredValue(
      "transport", .flag(!again.isEmpty), observations: again.count + final.count, lines: again + final,
      remark: again.isEmpty || final.isEmpty
        ? nil : "\(again.count) of \(again.count + final.count) were sent again",
      taken: .flag(!again.isEmpty))
  }
}
