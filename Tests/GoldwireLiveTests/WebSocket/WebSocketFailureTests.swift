import Foundation
import GoldwireTrace
import Testing

@testable import GoldwireLive

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the errors of `URLSession` mean.
@Suite struct WebSocketFailureTests {
  @Test(arguments: [
    (URLError.Code.cannotConnectToHost, Cause.refused), (.cannotFindHost, .dns), (.timedOut, .timeout),
    (.networkConnectionLost, .reset), (.notConnectedToInternet, .unreach), (.secureConnectionFailed, .tls),
    (.badServerResponse, .protocol), (.unknown, .other),
  ])
  func ofTheSession(_ code: URLError.Code, _ cause: Cause) {
    let failure = WebSocketFailure(URLError(code))
    #expect(failure.cause == cause)
    #expect(!failure.isCancelled)
  }

  @Test(arguments: [
    (POSIXErrorCode.ECONNRESET, Cause.reset), (.ECONNABORTED, .reset), (.ENOTCONN, .fin),
    (.ETIMEDOUT, .timeout), (.ECONNREFUSED, .refused), (.ENETDOWN, .unreach), (.EPROTO, .protocol),
    (.EINVAL, .other),
  ])
  func ofTheSystem(_ code: POSIXErrorCode, _ cause: Cause) {
    #expect(WebSocketFailure(POSIXError(code)).cause == cause)
    let plain = NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))
    #expect(WebSocketFailure(plain).cause == cause)
  }

  @Test func aCancellationIsTheClientsOwnEnd() {
    let failure = WebSocketFailure(URLError(.cancelled))
    #expect(failure.isCancelled)
    #expect(failure.end == (.fin, .out))
    #expect(WebSocketFailure(URLError(.networkConnectionLost)).end == (.reset, .in))
    #expect(WebSocketFailure(URLError(.secureConnectionFailed)).end == (.error, nil))
  }
}
