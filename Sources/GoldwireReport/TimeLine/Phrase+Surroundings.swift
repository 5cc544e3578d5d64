import GoldwireTrace

extension Phrase {
  static func surroundings(_ event: TraceEvent, _ unit: Unit) -> Phrase {
    switch event {
    case .appBackground: Phrase(.local, "app goes to the background", .strong)
    case .appForeground: Phrase(.local, "app comes to the foreground", .strong)
    case .appNetwork(let network): Phrase(.local, network.words, .strong)
    case .appSession(let session): Phrase(.local, "login session \(session) begins", .strong)
    case .recTick: Phrase(.recorder, "timer")
    case .recPause(let length, let slept):
      Phrase(
        .recorder,
        sentence(
          "the process did not run for \(Quantity.span(length, unit))",
          slept.map { "\(Quantity.span($0, unit)) of it asleep" }), .damage)
    case .recWall(let step):
      Phrase(
        .recorder,
        "wall clock set \(step < 0 ? "back" : "forward") by \(Quantity.span(Int(clamping: step.magnitude), .us))"
      )
    case .recLife(let dir, let kind):
      Phrase(
        .recorder, kind == .ack ? "bytes acknowledged" : dir == .in ? "bytes come in" : "bytes go out")
    case .recGap(let gap): Phrase(.recorder, gap.words, .damage, .gap)
    case .recOpaque(let opaque):
      Phrase(.recorder, opaque.words, .damage, opaque.at == .open ? .begins : .ends)
    case .recNote(let note, let rule): Phrase(.recorder, note.words(rule), .damage)
    case .recDrop(let count):
      Phrase(.recorder, "\(Quantity.count(count, "packet")) dropped by the kernel or interface", .damage)
    case .recEnd(let why, _): Phrase(.recorder, why.sentence, .strong)
    default: Phrase(.local, "")
    }
  }
}

extension Network {
  fileprivate var words: String {
    switch self {
    case .none: "no network"
    case .wifi: "network: Wi-Fi"
    case .cell: "network: cellular"
    case .wired: "network: wired"
    case .other: "network: another kind"
    }
  }
}

extension Gap {
  fileprivate var words: String {
    let amounts = [
      bytes.map { Quantity.bytes($0) }, packets.map { Quantity.count($0, "packet") },
      events.map { Quantity.count($0, "event") },
    ].compactMap(\.self)
    let what = amounts.isEmpty ? "a hole" : "a hole of \(amounts.joined(separator: ", "))"
    let way = dir.map { $0 == .out ? " going out" : " coming in" } ?? ""
    return "\(what)\(way): \(why.words)"
  }
}

extension GapReason {
  fileprivate var words: String {
    switch self {
    case .lost: "not captured"
    case .snaplen: "packets cut by the snap length"
    case .ring: "older than the buffer"
    case .limit: "over a limit"
    case .cut: "cut out"
    }
  }
}

extension Opaque {
  fileprivate var words: String {
    let reason =
      switch why {
      case .noKeys: "no keys"
      case .side: "the client cannot be told"
      case .other: "another protocol"
      }
    return sentence(
      "a connection that cannot be read \(at == .open ? "begins" : "ends"): \(reason)", cause.map(\.words),
      out.map { "\(Quantity.bytes($0)) out" }, `in`.map { "\(Quantity.bytes($0)) in" })
  }
}

extension Note {
  fileprivate func words(_ rule: RuleName?) -> String {
    switch self {
    case .timeBack: "the source's time went back"
    case .statusOut: "a status out of range"
    case .codeOut: "a close code out of range"
    case .superseded: "an older generation still delivers"
    case .idForgot: "an id was forgotten"
    case .overlap: "two copies of the same bytes differ"
    case .timesLost: "instants were lost"
    case .protocol: rule.map { "breaks \($0.words)" } ?? "breaks the protocol"
    case .undecodable: "a message that cannot be decoded"
    case .conflict: "one id with two contents"
    }
  }
}

extension RuleName {
  fileprivate var words: String {
    let parts = [section.0, section.1, section.2, section.3].prefix { $0 != 0 }
    let number = parts.map { String($0) }.joined(separator: ".")
    return "RFC \(rfc)" + (parts.isEmpty ? "" : " section \(number)")
  }
}

extension EndReason {
  fileprivate var sentence: String {
    switch self {
    case .stopped: "recording ends: stopped"
    case .eof: "the capture ends"
    case .signal: "recording ends: interrupted"
    case .limit: "recording ends: limit reached"
    case .written: "recording ends: as written"
    }
  }
}
