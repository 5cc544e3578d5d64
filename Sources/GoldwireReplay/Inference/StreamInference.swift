internal import GoldwireTrace

/// The reconnection delay of a client's event streams, and what it does with `retry:` and ids.
struct StreamInference {
  private let seen: StreamObservations
  private let tolerance: TimerTolerance
  private let header: TraceHeader
  private let words: Words
  private(set) var values: [InferredValue] = []

  init(_ trace: Trace, _ tolerance: TimerTolerance) {
    seen = StreamObservations(trace)
    self.tolerance = tolerance
    header = trace.header
    words = Words(header.unit)
    let own = seen.returns.filter { $0.retry == nil }
    let fit = TimerFit(own.map { TimerSpan(kind: .exact, length: $0.length, line: $0.line) }, tolerance)
    values.append(delay(fit))
    values.append(retryField(fit))
    values.append(lastEventID())
    values.append(idle())
  }

  private func delay(_ fit: TimerFit) -> InferredValue {
    guard !fit.used.isEmpty else {
      var value = InferredValue(
        "delay", .untold, record: "a stream without a retry field that the server ends, twice or more")
      if fit.isTorn {
        value.observations = fit.strays.count
        value.lines = fit.strays.map(\.line)
        value.remark =
          "the delays are too different for one: "
          + fit.strays.prefix(4).map { words.span($0.length) }.joined(separator: ", ")
          + "; a delay that grows is none of the machine's"
      }
      return value
    }
    var value = InferredValue(
      "delay", .span(low: fit.low, high: fit.high), observations: fit.used.count, lines: fit.deciding,
      taken: fit.roundest(header.unitMicroseconds).map(header.parameter))
    if !fit.strays.isEmpty {
      value.remark =
        "\(Words.count(fit.strays.count, "delay")) \(fit.strays.count == 1 ? "does" : "do") not fit: "
        + fit.strays.prefix(3).map { words.span($0.length) }.joined(separator: ", ")
    }
    return value
  }

  private func retryField(_ own: TimerFit) -> InferredValue {
    let asked = seen.returns.filter { $0.retry != nil }
    guard !asked.isEmpty else {
      return InferredValue("retryField", .untold, record: "a stream with a retry field that the server ends")
    }
    let kept = asked.filter { one in
      let retry = one.retry ?? 0
      return one.length >= retry - tolerance.early && one.length <= retry + tolerance.slack
    }
    // Where the client's own delay explains them as well, they tell nothing.
    let telling = asked.filter { one in
      guard let low = own.low, let high = own.high else { return true }
      return !(one.length >= low - tolerance.early && one.length <= high + tolerance.slack)
        || !kept.contains { $0.line == one.line }
    }
    guard !telling.isEmpty else {
      return InferredValue(
        "retryField", .untold, observations: asked.count, lines: asked.map(\.line),
        remark: "the client's own delay explains what was seen as well",
        record: "a retry field far from the client's own delay")
    }
    return InferredValue(
      "retryField", .flag(kept.count == asked.count), observations: asked.count,
      lines: (kept.count == asked.count
        ? asked : asked.filter { one in !kept.contains { $0.line == one.line } })
        .map(\.line),
      remark: kept.isEmpty || kept.count == asked.count
        ? nil : "kept in \(kept.count) of \(asked.count)")
  }

  private func lastEventID() -> InferredValue {
    let due = seen.returns.filter { ($0.wanted ?? 0) != 0 }
    guard !due.isEmpty else {
      return InferredValue(
        "lastEventID", .untold, record: "a stream with ids that the server ends after an event")
    }
    let sent = due.filter { $0.named == $0.wanted }
    let others = due.filter { $0.named != nil && $0.named != $0.wanted }.count
    return InferredValue(
      "lastEventID", .flag(sent.count == due.count), observations: due.count,
      lines: (sent.count == due.count ? due : due.filter { $0.named != $0.wanted }).map(\.line),
      remark: sent.count == due.count
        ? nil
        : "sent in \(sent.count) of \(due.count)" + (others > 0 ? ", another id in \(others)" : ""))
  }

  private func idle() -> InferredValue {
    let fit = TimerFit(seen.silences, tolerance)
    guard !fit.used.isEmpty else {
      return InferredValue(
        "idle", fit.low.map { .span(low: $0, high: nil) } ?? .untold, observations: fit.agreeing,
        lines: fit.deciding, remark: "off, or longer",
        record: "a stream that falls silent, until the client gives it up")
    }
    return InferredValue(
      "idle", .span(low: fit.low, high: fit.high), observations: fit.agreeing, lines: fit.deciding,
      remark: fit.strays.isEmpty
        ? nil
        : "\(Words.count(fit.strays.count, "silence")) \(fit.strays.count == 1 ? "does" : "do") not fit",
      taken: fit.roundest(header.unitMicroseconds).map(header.parameter))
  }
}
