import GoldwireTrace

extension Summary {
  /// The rows below a time line.
  package func rows(_ theme: Theme, width: Int) -> [String] {
    var rows = [
      theme.paint(String(repeating: theme.glyphs.rule, count: max(width, Layout.narrowest)), .faint)
    ]
    let sorted = channels.sorted { $0.key < $1.key }
    let names = sorted.prefix(Self.listed).map { $0.key.description }
    let nameWidth = (names.map(\.count).max() ?? 0) + 2
    for (channel, sums) in sorted.prefix(Self.listed) {
      let parts = sums.parts(channel.family, unit)
      let name = channel.description
      let indent = String(repeating: " ", count: nameWidth)
      var lead = name + String(repeating: " ", count: nameWidth - name.count)
      for part in parts {
        for text in wrappedAtCommas(part.text, to: width - nameWidth) {
          rows.append(theme.paint(lead, .strong) + theme.paint(text, part.tone))
          lead = indent
        }
      }
    }
    if sorted.count > Self.listed {
      rows.append(theme.paint("and \(sorted.count - Self.listed) more channels", .faint))
    }
    rows += wrappedAtCommas(totals, to: width).map { theme.paint($0, .strong) }
    return rows
  }

  /// `42 events in 1m01s, 1 gap`.
  package var totals: String {
    sentence(
      "\(Quantity.count(lines, "event")) in \(Quantity.span(length, unit))",
      gaps > 0 ? Quantity.count(gaps, "gap") : nil, pauses > 0 ? Quantity.count(pauses, "pause") : nil,
      dropped > 0 ? "\(Quantity.count(dropped, "packet")) dropped" : nil,
      notes > 0 ? Quantity.count(notes, "remark") : nil)
  }
}

extension Summary.ChannelSums {
  /// A part of a sentence, and its colour.
  struct Part {
    var text: String
    var tone: Theme.Tone
  }

  func parts(_ family: Channel.Family, _ unit: Unit) -> [Part] {
    var parts: [Part] = []
    switch family {
    case .ws: parts.append(Part(text: connections("connection"), tone: .plain))
    case .http:
      parts.append(Part(text: requestText, tone: .plain))
    case .sse: parts.append(Part(text: streamText, tone: .plain))
    case .tls, .tcp: parts.append(Part(text: Quantity.count(lines, "line"), tone: .plain))
    }
    if family == .ws, let beats = beats(unit) { parts.append(Part(text: beats, tone: .plain)) }
    if late > 0 {
      parts.append(
        Part(text: "\(Quantity.count(late, "late event")), of a generation that was over", tone: .late))
    }
    return parts
  }

  private func connections(_ noun: String) -> String {
    let ended = ends.reduce(0) { $0 + $1.count }
    // Of one connection there is no need to count the ends.
    let ways = ends.map { generations == 1 && $0.count == 1 ? $0.words : "\($0.count) \($0.words)" }
    let open =
      generations > ended
      ? generations == 1 ? "without an end" : "\(generations - ended) without an end" : nil
    let all = (ways + [open].compactMap(\.self)).joined(separator: ", ")
    return Quantity.count(generations, noun) + (all.isEmpty ? "" : ": \(all)")
  }

  /// `12 messages out and 3 in`.
  private var traffic: String? {
    switch (messages.out, messages.in) {
    case (0, 0): nil
    case (let out, 0): "\(Quantity.count(out, "message")) out"
    case (0, let `in`): "\(Quantity.count(`in`, "message")) in"
    case (let out, let `in`): "\(Quantity.count(out, "message")) out and \(`in`) in"
    }
  }

  private func beats(_ unit: Unit) -> String? {
    guard pings > 0 else { return traffic }
    let missing = max(pings - answers.count, 0)
    return sentence(
      Quantity.count(pings, "ping") + (rhythm.count > 0 ? " every \(rhythm.text(unit))" : ""),
      answers.count > 0 ? "\(answers.count) answered after \(answers.text(unit))" : nil,
      missing > 0 ? "\(missing) unanswered" : nil, traffic)
  }

  private var requestText: String {
    let answers = statuses.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    return sentence(
      Quantity.count(requests.logical, "request"), "sent \(Quantity.count(requests.sends, "time"))")
      + (answers.isEmpty ? "" : ", answers \(answers.joined(separator: ", "))")
  }

  private var streamText: String {
    sentence(
      connections("connection"), Quantity.count(messages.in, "event"),
      failures > 0 ? Quantity.count(failures, "handler failure") : nil,
      commits > 0 ? Quantity.count(commits, "commit") : nil)
  }
}
