import GoldwireTestSupport

/// What two hosts say to each other, a step at a time.
protocol Talk: Sendable {
  /// The connection that it goes over at the moment.
  var wire: Wire { get set }
  /// Whether all is said.
  var isOver: Bool { get }
  /// Says something more, and counts what a reader finds in it.
  mutating func step(_ truth: inout CaptureTruth)
}

/// What every talk of a capture is made of.
struct TalkSettings: Sendable {
  /// The bytes of one connection of mean size.
  var budget: Int
  /// The mean size of a message.
  var payload: Int
  var seed: UInt64
  var filler: Filler
}

/// The head of a request, with secrets in the places that clients have for them.
func requestHead(_ method: String, _ target: String, _ fields: String = "", secret: Int) -> String {
  "\(method) \(target) HTTP/1.1\r\nHost: api.example\r\nUser-Agent: bench/1\r\nAccept-Language: en\r\n"
    + "Authorization: Bearer FAKE-\(secret &* 7_919)\r\nCookie: session=FAKE-\(secret &* 104_729)\r\n\(fields)\r\n"
}

/// The head of a response.
func responseHead(_ status: Int, _ reason: String, _ fields: String) -> String {
  "HTTP/1.1 \(status) \(reason)\r\nServer: bench\r\nDate: Tue, 14 Nov 2023 22:13:20 GMT\r\n\(fields)\r\n"
}

/// A chunk of the chunked coding.
func chunk(_ bytes: [UInt8]) -> [UInt8] {
  Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
}
