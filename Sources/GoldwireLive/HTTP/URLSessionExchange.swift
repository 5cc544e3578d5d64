internal import Foundation
internal import GoldwireMachines

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request of a `URLSession`: its head once it is there, its body piece by piece.
final class URLSessionExchange: ReplyBody {
  private enum End: Sendable {
    case whole
    case failed(TransportFailure)
    case cancelled
  }

  private struct State: Sendable {
    var head: ReplyHead?
    var pieces: [[UInt8]] = []
    /// The first piece that was not taken yet.
    var next = 0
    var bytes = 0
    var isHeldBack = false
    var end: End?

    mutating func popPiece() -> [UInt8]? {
      guard next < pieces.count else { return nil }
      let piece = pieces[next]
      pieces[next] = []
      next += 1
      bytes -= piece.count
      if next == pieces.count { (pieces, next) = ([], 0) }
      return piece
    }
  }

  private let task: URLSessionDataTask
  private let limits: URLSessionTransport.Limits
  private let onHop: @Sendable (ReplyHead) -> Void
  private let state = Watched(State())

  init(
    _ task: URLSessionDataTask, _ limits: URLSessionTransport.Limits,
    _ onHop: @escaping @Sendable (ReplyHead) -> Void
  ) {
    self.task = task
    self.limits = limits
    self.onHop = onHop
  }
}

// MARK: - What the session tells

extension URLSessionExchange {
  func followed(_ head: ReplyHead) { onHop(head) }

  /// The head came; false if it is none of HTTP.
  func answered(_ response: HTTPURLResponse?) -> Bool {
    guard let response else {
      end(.failed(TransportFailure(.protocol)))
      return false
    }
    let head = ReplyHead(response)
    state.update { $0.head = head }
    return true
  }

  func received(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    let isTooMuch = state.update { state in
      guard state.end == nil else { return false }
      state.pieces.append(piece)
      state.bytes += piece.count
      if state.bytes > limits.most { return true }
      if state.bytes > limits.pause, !state.isHeldBack {
        state.isHeldBack = true
        holdBack()
      }
      return false
    }
    if isTooMuch {
      end(.failed(TransportFailure(.other)))
      task.cancel()
    }
  }

  func ended(_ error: (any Error)?) {
    guard let error else { return end(.whole) }
    let code = (error as? URLError)?.code ?? .unknown
    end(code == .cancelled ? .cancelled : .failed(TransportFailure(Retry.TransportCause(code))))
  }

  /// The first end counts.
  private func end(_ end: End) {
    state.update { state in
      if state.end == nil { state.end = end }
    }
  }

  /// Holds the server back; on Linux a suspended task would begin anew when it is resumed.
  ///
  /// Within the lock, as ``letGo()``: in the other order a task would be resumed first and then stand still for good.
  private func holdBack() {
    #if canImport(Darwin)
      task.suspend()
    #endif
  }

  private func letGo() {
    #if canImport(Darwin)
      task.resume()
    #endif
  }
}

// MARK: - What the caller asks

extension URLSessionExchange {
  /// The head, once it is there.
  func head() async throws -> ReplyHead {
    let result = try await state.wait { state -> Result<ReplyHead, any Error>? in
      if let head = state.head { return .success(head) }
      switch state.end {
      case nil: return nil
      case .whole: return .failure(TransportFailure(.protocol))
      case .failed(let failure): return .failure(failure)
      case .cancelled: return .failure(CancellationError())
      }
    }
    return try result.get()
  }

  func next() async throws -> [UInt8]? {
    let result = try await state.wait { state -> Result<[UInt8]?, any Error>? in
      if case .cancelled = state.end { return .failure(CancellationError()) }
      if let piece = state.popPiece() { return .success(piece) }
      switch state.end {
      case nil: return nil
      case .whole: return .success(nil)
      case .failed(let failure): return .failure(failure)
      case .cancelled: return .failure(CancellationError())
      }
    }
    state.update { state in
      guard state.isHeldBack, state.bytes <= limits.pause / 2 else { return }
      state.isHeldBack = false
      letGo()
    }
    return try result.get()
  }

  func cancel() {
    end(.cancelled)
    task.cancel()
  }
}

extension Retry.TransportCause {
  /// The trace's word for what `URLSession` says.
  init(_ code: URLError.Code) {
    switch code {
    case .cannotConnectToHost: self = .refused
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: self = .unreach
    case .timedOut: self = .timeout
    case .networkConnectionLost: self = .reset
    case .cannotFindHost, .dnsLookupFailed: self = .dns
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
      self = .tls
    case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
      .httpTooManyRedirects, .redirectToNonExistentLocation, .zeroByteResource:
      self = .protocol
    default: self = .other
    }
  }
}
