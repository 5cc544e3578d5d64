internal import GoldwireTrace

/// A word of a closed set as a small number: its place among all.
///
/// The places stand here by hand, since looking them up would allocate; a test holds them against the sets.
protocol WordCode: CaseIterable {
  var code: UInt64 { get }
}

extension WordCode {
  /// The word of a place; the last one for what is none.
  init(code: UInt64) {
    let all = Array(Self.allCases)
    self = all[min(Int(clamping: code), all.count - 1)]
  }

  /// The word that ``optionalCode`` stored.
  static func optional(_ code: UInt64) -> Self? { code == 0 ? nil : Self(code: code &- 1) }
}

extension Optional where Wrapped: WordCode {
  /// The place of a word and one, 0 for none.
  @inline(__always) var optionalCode: UInt64 {
    guard let self else { return 0 }
    return self.code &+ 1
  }
}

extension Direction: WordCode {
  var code: UInt64 { self == .out ? 0 : 1 }
}

extension MessageKind: WordCode {
  var code: UInt64 { self == .text ? 0 : 1 }
}

extension PingResult: WordCode {
  var code: UInt64 {
    switch self {
    case .ok: 0
    case .error: 1
    case .cancelled: 2
    }
  }
}

extension CloseActor: WordCode {
  var code: UInt64 {
    switch self {
    case .user: 0
    case .machine: 1
    case .unknown: 2
    }
  }
}

extension Cause: WordCode {
  var code: UInt64 {
    switch self {
    case .refused: 0
    case .unreach: 1
    case .timeout: 2
    case .reset: 3
    case .fin: 4
    case .dns: 5
    case .tls: 6
    case .status: 7
    case .proxy: 8
    case .`protocol`: 9
    case .other: 10
    }
  }
}

extension EndCause: WordCode {
  var code: UInt64 {
    switch self {
    case .fin: 0
    case .reset: 1
    case .error: 2
    case .timeout: 3
    }
  }
}

extension CutCause: WordCode {
  var code: UInt64 {
    switch self {
    case .eof: 0
    case .reset: 1
    case .error: 2
    case .local: 3
    }
  }
}

extension Method: WordCode {
  var code: UInt64 {
    switch self {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .delete: 4
    case .connect: 5
    case .options: 6
    case .trace: 7
    case .patch: 8
    case .other: 9
    }
  }
}

extension StopReason: WordCode {
  var code: UInt64 {
    switch self {
    case .delivered: 0
    case .notRetryable: 1
    case .notReplayable: 2
    case .budget: 3
    case .deferred: 4
    case .cancelled: 5
    case .stale: 6
    case .transport: 7
    }
  }
}

extension MediaType: WordCode {
  var code: UInt64 { self == .eventStream ? 0 : 1 }
}

extension Network: WordCode {
  var code: UInt64 {
    switch self {
    case .none: 0
    case .wifi: 1
    case .cell: 2
    case .wired: 3
    case .other: 4
    }
  }
}

extension Note: WordCode {
  var code: UInt64 {
    switch self {
    case .timeBack: 0
    case .statusOut: 1
    case .codeOut: 2
    case .superseded: 3
    case .idForgot: 4
    case .overlap: 5
    case .timesLost: 6
    case .`protocol`: 7
    case .undecodable: 8
    case .conflict: 9
    }
  }
}

extension GapReason: WordCode {
  var code: UInt64 {
    switch self {
    case .lost: 0
    case .snaplen: 1
    case .ring: 2
    case .limit: 3
    case .cut: 4
    }
  }
}

extension RetryFault: WordCode {
  var code: UInt64 {
    switch self {
    case .sign: 0
    case .decimal: 1
    case .unit: 2
    case .list: 3
    case .digits: 4
    case .empty: 5
    case .differ: 6
    case .weekday: 7
    case .zone: 8
    case .over: 9
    case .other: 10
    }
  }
}
