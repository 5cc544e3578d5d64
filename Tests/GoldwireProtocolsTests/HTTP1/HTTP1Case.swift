import GoldwireProtocols
import GoldwireTestSupport
import Testing

/// Bytes of one direction and what must be told about them, however they are cut.
struct HTTP1Case: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let role: HTTP1Role
  let bytes: [UInt8]
  let requests: String
  let limits: HTTP1Limits
  let isFinished: Bool
  let expected: [String]

  /// A case of requests.
  static func requests(
    _ name: String, _ text: String, limits: HTTP1Limits = HTTP1Limits(), finish: Bool = false,
    _ expected: [String]
  ) -> HTTP1Case {
    HTTP1Case(
      testDescription: name, role: .requests, bytes: Array(text.utf8), requests: "", limits: limits,
      isFinished: finish, expected: expected)
  }

  /// A case of responses to requests that were sent before.
  static func responses(
    _ name: String, to requests: String = "GET / HTTP/1.1\r\nHost: h\r\n\r\n", _ text: String,
    limits: HTTP1Limits = HTTP1Limits(), finish: Bool = false, _ expected: [String]
  ) -> HTTP1Case {
    HTTP1Case(
      testDescription: name, role: .responses, bytes: Array(text.utf8), requests: requests, limits: limits,
      isFinished: finish, expected: expected)
  }

  /// Checks every delivery.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    for delivery in Delivery.all(of: bytes) {
      let told = HTTP1Reading.of(
        role, delivery.pieces, after: requests, limits: limits, finishing: isFinished)
      #expect(told == expected, "\(delivery)", sourceLocation: sourceLocation)
      if told != expected { return }
    }
  }
}
