internal import Foundation
internal import GoldwireMachines
internal import GoldwireTrace

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a failure of `URLSession` means for a WebSocket connection.
struct WebSocketFailure: Equatable {
  /// The trace's word.
  let cause: Cause
  /// Whether the task was cancelled.
  let isCancelled: Bool

  init(_ error: any Error) {
    isCancelled = (error as? URLError)?.code == .cancelled || error is CancellationError
    let plain = error as NSError
    if plain.domain == NSPOSIXErrorDomain {
      cause = Self.cause(ofSystem: Int32(clamping: plain.code))
    } else if let code = (error as? URLError)?.code {
      cause = Cause(rawValue: Retry.TransportCause(code).rawValue) ?? .other
    } else {
      cause = .other
    }
  }

  /// The system's own numbers, which a WebSocket task hands on where its connection breaks.
  private static func cause(ofSystem number: Int32) -> Cause {
    switch POSIXErrorCode(rawValue: number) {
    case .ECONNREFUSED: .refused
    case .ENETUNREACH, .EHOSTUNREACH, .ENETDOWN, .EHOSTDOWN, .EADDRNOTAVAIL: .unreach
    case .ETIMEDOUT: .timeout
    case .ECONNRESET, .EPIPE, .ECONNABORTED: .reset
    // The peer has ended the connection without a close frame.
    case .ENOTCONN, .ENODATA: .fin
    case .EPROTO: .protocol
    default: .other
    }
  }

  /// How an open connection ended by it.
  var end: (EndCause, Direction?) {
    if isCancelled { return (.fin, .out) }
    switch cause {
    case .reset: return (.reset, .in)
    case .fin: return (.fin, .in)
    case .timeout: return (.timeout, nil)
    default: return (.error, nil)
    }
  }
}
