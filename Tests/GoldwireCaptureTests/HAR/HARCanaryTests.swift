import Foundation
import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// No piece of a secret comes from a HAR into a trace or an error, wherever it stands.
@Suite struct HARCanaryTests {
  /// A secret for each place, digits alone in every second one, or in the others.
  private struct Secrets {
    private static let replyHeaders = [
      "Set-Cookie", "Location", "Retry-After", "Date", "Age", "ETag", "Server", "Sec-WebSocket-Accept",
      "Sec-WebSocket-Extensions",
    ]

    let parity: Int
    var all: [String] = []

    mutating func next() -> String {
      let number = all.count
      let secret =
        number % 2 == parity
        ? "Qx\(number)Zv7kWjPyfTgb\(number)Rm"
        : String((0..<14).map { Character("\((number &* 7 &+ $0 &* 3) % 10)") })
      all.append(secret)
      return secret
    }

    mutating func headers(_ names: [String]) -> String {
      "["
        + names.map { #"{"name":"\#($0)","value":"\#(next())","comment":"\#(next())"}"# }.joined(
          separator: ",")
        + #",{"name":"X-\#(next())","value":"\#(next())"}]"#
    }

    mutating func request(_ scheme: String, _ method: String = "POST") -> String {
      #"{"method":"\#(method)","url":"\#(scheme)://u\#(next()):\#(next())@h\#(next()).example/\#(next())?k=\#(next())#\#(next())","#
        + #""httpVersion":"\#(next())","cookies":[{"name":"\#(next())","value":"\#(next())","path":"/\#(next())"}],"#
        + #""headers":\#(headers(["Authorization", "Cookie", "Last-Event-ID", "Idempotency-Key", "Content-Length", "Accept", "Host"])),"#
        + #""queryString":[{"name":"\#(next())","value":"\#(next())"}],"comment":"\#(next())","_x":"\#(next())","#
        + #""postData":{"mimeType":"\#(next())","text":"pw=\#(next())","params":[{"name":"\#(next())","value":"\#(next())"}]}}"#
    }

    mutating func response(_ status: String, _ type: String, _ text: String) -> String {
      #"{"status":\#(status),"statusText":"\#(next())","httpVersion":"\#(next())","cookies":[{"name":"a","value":"\#(next())"}],"#
        + #""headers":\#(headers(Self.replyHeaders)),"#
        + #""content":{"size":3,"mimeType":"\#(type); x=\#(next())","text":"\#(text)","comment":"\#(next())"},"#
        + #""redirectURL":"https://\#(next())/","_error":"\#(next())","_failureText":"\#(next())","comment":"\#(next())"}"#
    }

    mutating func entry(_ request: String, _ response: String, _ extra: String = "") -> String {
      #"{"pageref":"\#(next())","startedDateTime":"2026-03-01T12:30:00.000Z","time":1,"request":\#(request),"response":\#(response),"#
        + #""cache":{"beforeRequest":{"eTag":"\#(next())"}},"timings":{"send":1,"wait":2,"receive":1,"comment":"\#(next())"},"#
        + #""serverIPAddress":"\#(next())","connection":"\#(next())","comment":"\#(next())","_initiator":{"url":"\#(next())"},"#
        + #""_resourceType":"\#(next())","_priority":"\#(next())"\#(extra)}"#
    }

    mutating func file() -> String {
      var entries: [String] = []
      for status in ["503", "0", "302"] {
        let answer = next()
        entries.append(entry(request("https"), response(status, "text/html", answer)))
      }
      let stream =
        #"id: \#(next())\nevent: \#(next())\ndata: \#(next())\n: \#(next())\nretry: 1x\#(next())\n\#(next()): x\n\nid: \#(next())\n\ndata: \#(next())"#
      entries.append(entry(request("https", "GET"), response("200", "text/event-stream", stream)))
      let noted =
        #","_eventSourceMessages":[{"time":1,"eventName":"\#(next())","eventId":"\#(next())","data":"\#(next())"}]"#
      entries.append(entry(request("https", "GET"), response("200", "text/event-stream", ""), noted))
      var messages: [String] = []
      for type in ["send", "receive", "error", next()] {
        for opcode in [1, 2, 8, 9, 10] {
          messages.append(
            #"{"type":"\#(type)","time":1772368200.5,"opcode":\#(opcode),"data":"\#(next())","_x":"\#(next())"}"#
          )
          messages.append(
            #"{"type":"\#(type)","time":1772368201.5,"opcode":\#(opcode),"data":"\#(Data(next().utf8).base64EncodedString())"}"#
          )
        }
      }
      let socket = #","_webSocketMessages":[\#(messages.joined(separator: ","))]"#
      entries.append(entry(request("wss", "GET"), response("101", "x", ""), socket))
      return
        #"{"log":{"version":"\#(next())","creator":{"name":"\#(next())","version":"\#(next())","comment":"\#(next())"},"#
        + #""browser":{"name":"\#(next())","version":"\#(next())"},"comment":"\#(next())","_\#(next())":"\#(next())","#
        + #""pages":[{"id":"\#(next())","title":"\#(next())","pageTimings":{"comment":"\#(next())"}}],"#
        + #""entries":[\#(entries.joined(separator: ","))]},"_top":"\#(next())"}"#
    }
  }

  /// Every piece of six characters, plain and as percent, base64 and hex write it.
  private static func forms(of secrets: [String]) -> Set<String> {
    var forms: Set<String> = []
    for secret in secrets {
      let bytes = Array(secret.utf8)
      for start in 0...(bytes.count - 6) {
        let piece = Array(bytes[start..<(start + 6)])
        let hex = piece.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        forms.insert(String(decoding: piece, as: UTF8.self))
        forms.insert(hex.joined())
        forms.insert(hex.map { "%" + $0.uppercased() }.joined())
        forms.insert(Data(piece).base64EncodedString())
      }
    }
    return forms
  }

  /// Whether a text holds one of the forms, which are of four lengths.
  private static func leak(in text: String, _ forms: Set<String>) -> Bool {
    let bytes = Array(text.utf8)
    for length in [6, 8, 12, 18] where bytes.count >= length {
      for start in 0...(bytes.count - length)
      where forms.contains(String(decoding: bytes[start..<(start + length)], as: UTF8.self)) { return true }
    }
    return false
  }

  @Test(arguments: [0, 1]) func nothingOfASecretIsWritten(_ parity: Int) throws {
    var secrets = Secrets(parity: parity)
    let text = secrets.file()
    #expect(secrets.all.count > 200)
    for preset in [nil, BeatPreset.graphqlWS, .phoenix] {
      let har = try HARFixture(text) { $0.beats = preset }
      #expect(har.texts.count > 20)
      let trace = String(decoding: har.bytes, as: UTF8.self)
      #expect(!Self.leak(in: trace, Self.forms(of: secrets.all)))
      #expect(try TraceAudit.findings(in: har.bytes) == [])
    }
  }

  @Test func theSearchWouldFindAPiece() {
    let forms = Self.forms(of: ["hunter2-hunter2"])
    #expect(Self.leak(in: "x unter2- y", forms))
    #expect(Self.leak(in: "x " + Data("hunter".utf8).base64EncodedString(), forms))
    #expect(!Self.leak(in: "nothing of it", forms))
  }

  @Test func errorsHoldNothingEither() throws {
    var secrets = Secrets(parity: 1)
    let bytes = Array(secrets.file().utf8)
    let forms = Self.forms(of: secrets.all)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var damaged = bytes
      let place = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) { damaged.removeLast(bytes.count - place) } else { damaged[place] = 0 }
      do throws(TraceError) { _ = try HARFixture(damaged) } catch {
        #expect(!Self.leak(in: error.description, forms))
      }
    }
  }
}
