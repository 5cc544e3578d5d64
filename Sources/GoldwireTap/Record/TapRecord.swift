internal import GoldwireTrace

/// An event as the ring holds it: seven words, and nowhere a string.
///
/// Numbers that may be absent are stored as one more, so that 0 is none.
struct TapRecord: Equatable, Sendable {
  /// The instant in microseconds, as bits.
  var instant: UInt64
  /// The kind, the channel and the generation; see ``Head``.
  var head: UInt64
  var a: UInt64 = 0
  var b: UInt64 = 0
  var c: UInt64 = 0
  var d: UInt64 = 0
  var e: UInt64 = 0

  /// The parts of a record's head: from the lowest bit kind (6), family (2), channel (28), generation (28).
  enum Head {
    static let mostNumber: UInt64 = 1 << 28 - 1
    /// The bits that name the channel.
    static let ofChannel: UInt64 = 0xF_FFFF_FFC0

    static func family(_ family: Channel.Family) -> UInt64 {
      switch family {
      case .ws: 1 << 6
      case .http: 2 << 6
      default: 3 << 6
      }
    }

    /// The part of a channel, to which kind and generation are added; a number that is too large stays the largest.
    static func channel(_ family: Channel.Family, _ number: Int) -> UInt64 {
      Head.family(family) | min(UInt64(clamping: number), mostNumber) << 8
    }

    @inline(__always)
    static func generation(_ number: Int) -> UInt64 { min(UInt64(clamping: number), mostNumber) << 36 }
  }

  /// What happened.
  var kind: RecordKind { RecordKind(rawValue: UInt8(truncatingIfNeeded: head & 63)) ?? .recTick }

  /// The channel, or nil for an event that concerns all of them.
  var channel: Channel? {
    let number = Int(truncatingIfNeeded: head >> 8 & Head.mostNumber)
    switch head >> 6 & 3 {
    case 1: return Channel(.ws, number)
    case 2: return Channel(.http, number)
    case 3: return Channel(.sse, number)
    default: return nil
    }
  }

  /// The generation, or nil where there is none.
  var generation: Int? {
    let number = Int(truncatingIfNeeded: head >> 36)
    return number == 0 ? nil : number
  }
}

/// What a record is of: the kinds of events that a tap can see.
enum RecordKind: UInt8, CaseIterable {
  case wsConnect, wsAttach, wsOpen, wsRefused, wsPing, wsPong, wsPinged, wsMessage, wsClose, wsEnd
  case httpSend, httpResponse, httpBody, httpError, httpWait, httpCancel, httpStop
  case sseConnect, sseOpen, sseEvent, sseID, sseComment, sseRetry, sseHandled, sseCommit, sseCut, sseCancel
  case appBackground, appForeground, appNetwork, appSession
  case recTick, recPause, recWall, recGap, recNote
}
