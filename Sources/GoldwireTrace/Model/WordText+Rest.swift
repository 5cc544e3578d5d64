/// The texts of the words that stand in few lines; see ``Word``.
extension StopReason: Word {
  var text: StaticString {
    switch self {
    case .delivered: "delivered\""
    case .notRetryable: "notRetryable\""
    case .notReplayable: "notReplayable\""
    case .budget: "budget\""
    case .deferred: "deferred\""
    case .cancelled: "cancelled\""
    case .stale: "stale\""
    case .transport: "transport\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("delivered\"") { return .delivered }
    if bytes.eat("notRetryable\"") { return .notRetryable }
    if bytes.eat("notReplayable\"") { return .notReplayable }
    if bytes.eat("budget\"") { return .budget }
    if bytes.eat("deferred\"") { return .deferred }
    if bytes.eat("cancelled\"") { return .cancelled }
    if bytes.eat("stale\"") { return .stale }
    if bytes.eat("transport\"") { return .transport }
    return nil
  }
}

extension MediaType: Word {
  var text: StaticString {
    switch self {
    case .eventStream: "text/event-stream\""
    case .other: "other\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("text/event-stream\"") { return .eventStream }
    if bytes.eat("other\"") { return .other }
    return nil
  }
}

extension RetryFault: Word {
  var text: StaticString {
    switch self {
    case .sign: "sign\""
    case .decimal: "decimal\""
    case .unit: "unit\""
    case .list: "list\""
    case .digits: "digits\""
    case .empty: "empty\""
    case .differ: "differ\""
    case .weekday: "weekday\""
    case .zone: "zone\""
    case .over: "over\""
    case .other: "other\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("sign\"") { return .sign }
    if bytes.eat("decimal\"") { return .decimal }
    if bytes.eat("unit\"") { return .unit }
    if bytes.eat("list\"") { return .list }
    if bytes.eat("digits\"") { return .digits }
    if bytes.eat("empty\"") { return .empty }
    if bytes.eat("differ\"") { return .differ }
    if bytes.eat("weekday\"") { return .weekday }
    if bytes.eat("zone\"") { return .zone }
    if bytes.eat("over\"") { return .over }
    if bytes.eat("other\"") { return .other }
    return nil
  }
}

extension RetryForm: Word {
  var text: StaticString {
    switch self {
    case .rfc850: "rfc850\""
    case .asctime: "asctime\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("rfc850\"") { return .rfc850 }
    if bytes.eat("asctime\"") { return .asctime }
    return nil
  }
}

extension Network: Word {
  var text: StaticString {
    switch self {
    case .none: "none\""
    case .wifi: "wifi\""
    case .cell: "cell\""
    case .wired: "wired\""
    case .other: "other\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("none\"") { return Network.none }
    if bytes.eat("wifi\"") { return .wifi }
    if bytes.eat("cell\"") { return .cell }
    if bytes.eat("wired\"") { return .wired }
    if bytes.eat("other\"") { return .other }
    return nil
  }
}

extension GapReason: Word {
  var text: StaticString {
    switch self {
    case .lost: "lost\""
    case .snaplen: "snaplen\""
    case .ring: "ring\""
    case .limit: "limit\""
    case .cut: "cut\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("lost\"") { return .lost }
    if bytes.eat("snaplen\"") { return .snaplen }
    if bytes.eat("ring\"") { return .ring }
    if bytes.eat("limit\"") { return .limit }
    if bytes.eat("cut\"") { return .cut }
    return nil
  }
}

extension OpaqueEdge: Word {
  var text: StaticString {
    switch self {
    case .open: "open\""
    case .end: "end\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("open\"") { return .open }
    if bytes.eat("end\"") { return .end }
    return nil
  }
}

extension OpaqueReason: Word {
  var text: StaticString {
    switch self {
    case .noKeys: "noKeys\""
    case .side: "side\""
    case .other: "other\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("noKeys\"") { return .noKeys }
    if bytes.eat("side\"") { return .side }
    if bytes.eat("other\"") { return .other }
    return nil
  }
}

extension Note: Word {
  var text: StaticString {
    switch self {
    case .timeBack: "timeBack\""
    case .statusOut: "statusOut\""
    case .codeOut: "codeOut\""
    case .superseded: "superseded\""
    case .idForgot: "idForgot\""
    case .overlap: "overlap\""
    case .timesLost: "timesLost\""
    case .`protocol`: "protocol\""
    case .undecodable: "undecodable\""
    case .conflict: "conflict\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("timeBack\"") { return .timeBack }
    if bytes.eat("statusOut\"") { return .statusOut }
    if bytes.eat("codeOut\"") { return .codeOut }
    if bytes.eat("superseded\"") { return .superseded }
    if bytes.eat("idForgot\"") { return .idForgot }
    if bytes.eat("overlap\"") { return .overlap }
    if bytes.eat("timesLost\"") { return .timesLost }
    if bytes.eat("protocol\"") { return .`protocol` }
    if bytes.eat("undecodable\"") { return .undecodable }
    if bytes.eat("conflict\"") { return .conflict }
    return nil
  }
}

extension EndReason: Word {
  var text: StaticString {
    switch self {
    case .stopped: "stopped\""
    case .eof: "eof\""
    case .signal: "signal\""
    case .limit: "limit\""
    case .written: "written\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("stopped\"") { return .stopped }
    if bytes.eat("eof\"") { return .eof }
    if bytes.eat("signal\"") { return .signal }
    if bytes.eat("limit\"") { return .limit }
    if bytes.eat("written\"") { return .written }
    return nil
  }
}
