import Foundation
import GoldwireMachines
import GoldwireProtocols
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// The opening handshake, against a server that sends what a test gives it.
@Suite(.timeLimit(.minutes(1))) struct SocketHandshakeTests {
  static func transport(
    _ server: RawServer, _ change: (inout SocketWebSocketTransport.Options) -> Void = { _ in }
  ) throws -> SocketWebSocketTransport {
    var options = SocketWebSocketTransport.Options()
    change(&options)
    return try SocketWebSocketTransport(
      url: try #require(URL(string: server.url)), options: options, clock: HandClock())
  }

  /// An answer, and what becomes of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let cause: Cause?
    var subprotocols: [String] = []
    let answer: @Sendable (Peer) -> String
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "as it should be", cause: nil) { $0.answer() },
    Case(name: "in other letters", cause: nil) {
      "HTTP/1.1 101\r\nupgrade:WebSocket\r\nCONNECTION:  keep-alive , upgrade \t\r\n"
        + "sec-websocket-accept: \($0.proof)\r\n\r\n"
    },
    Case(name: "after an interim answer", cause: nil) {
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + $0.answer()
    },
    Case(name: "with a subprotocol that was offered", cause: nil, subprotocols: ["stomp", "chat"]) {
      $0.answer("Sec-WebSocket-Protocol: chat\r\n")
    },
    Case(name: "without one of those offered", cause: nil, subprotocols: ["stomp"]) { $0.answer() },
    Case(name: "200", cause: .status) { _ in "HTTP/1.1 200 OK\r\n\r\n" },
    Case(name: "503", cause: .status) { _ in "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\n" },
    Case(name: "a redirect", cause: .status) { _ in "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n" },
    Case(name: "no Upgrade", cause: .protocol) {
      "HTTP/1.1 101 S\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \($0.proof)\r\n\r\n"
    },
    Case(name: "another Upgrade", cause: .protocol) {
      "HTTP/1.1 101 S\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \($0.proof)\r\n\r\n"
    },
    Case(name: "no Connection", cause: .protocol) {
      "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: \($0.proof)\r\n\r\n"
    },
    Case(name: "another Connection", cause: .protocol) {
      "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: close\r\nSec-WebSocket-Accept: \($0.proof)\r\n\r\n"
    },
    Case(name: "no proof", cause: .protocol) { _ in
      "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    },
    Case(name: "the proof of another key", cause: .protocol) { _ in
      "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
    },
    Case(name: "the proof twice", cause: .protocol) {
      $0.answer("Sec-WebSocket-Accept: \($0.proof)\r\n")
    },
    Case(name: "an extension", cause: .protocol) {
      $0.answer("Sec-WebSocket-Extensions: permessage-deflate\r\n")
    },
    Case(name: "a subprotocol that nobody offered", cause: .protocol) {
      $0.answer("Sec-WebSocket-Protocol: chat\r\n")
    },
    Case(name: "another subprotocol", cause: .protocol, subprotocols: ["stomp"]) {
      $0.answer("Sec-WebSocket-Protocol: chat\r\n")
    },
    Case(name: "two subprotocols", cause: .protocol, subprotocols: ["stomp", "chat"]) {
      $0.answer("Sec-WebSocket-Protocol: stomp\r\nSec-WebSocket-Protocol: chat\r\n")
    },
    Case(name: "no HTTP", cause: .protocol) { _ in "SSH-2.0-x\r\n\r\n" },
    Case(name: "a status of two digits", cause: .protocol) { _ in "HTTP/1.1 99 Odd\r\n\r\n" },
    Case(name: "a folded line", cause: .protocol) { $0.answer("X: a\r\n b\r\n") },
    Case(name: "a blank in a name", cause: .protocol) { $0.answer("X : a\r\n") },
    Case(name: "a bare line feed", cause: .protocol) { $0.answer("X: a\nY: b\r\n") },
    Case(name: "a zero byte", cause: .protocol) { $0.answer("X: a\0\r\n") },
    Case(name: "a line without a colon", cause: .protocol) { $0.answer("X\r\n") },
    Case(name: "more than the limit", cause: .protocol) { _ in
      "HTTP/1.1 101 S\r\nX: " + String(repeating: "x", count: 5_000)
    },
    Case(name: "interim answers without end", cause: .protocol) { _ in
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 1_000)
    },
  ]

  @Test(arguments: cases, [false, true]) func anAnswer(_ given: Case, oneByOne: Bool) async throws {
    let server = try RawServer()
    let transport = try Self.transport(server) {
      $0.headBytes = 4_096
      $0.subprotocols = given.subprotocols
    }
    let book = InboxBook()
    let connection = transport.connect(book.inbox)
    let peer = try await server.accept()
    // The client may hang up before it has all of a bad answer.
    do { try await peer.send(Array(given.answer(peer).utf8), oneByOne: oneByOne) } catch {}
    let event = await book.next()
    if let cause = given.cause {
      guard case .refused(let refusal) = event else {
        Issue.record("\(event)")
        return
      }
      #expect(refusal.cause == cause)
      if given.name == "503" { #expect(refusal.answer?.retryAfter == .seconds(7)) }
    } else {
      #expect(event == .opened(deflate: false))
    }
    connection.cancel()
  }

  @Test func theRequestIsAsItShouldBe() async throws {
    let server = try RawServer()
    var keys: Set<String> = []
    for _ in 0..<2 {
      let transport = try Self.transport(server) {
        $0.fields = ["Authorization": "Bearer abc", "X-Test": "1"]
        $0.subprotocols = ["a", "b"]
      }
      let connection = transport.connect(InboxBook().inbox)
      let peer = try await server.accept()
      #expect(peer.request.hasPrefix("GET /chat?token=secret HTTP/1.1\r\n"))
      #expect(peer.field("Host") == "127.0.0.1:\(server.listener.port)")
      #expect(peer.field("Upgrade") == "websocket")
      #expect(peer.field("Connection") == "Upgrade")
      #expect(peer.field("Sec-WebSocket-Version") == "13")
      #expect(peer.field("Sec-WebSocket-Protocol") == "a, b")
      #expect(peer.field("Authorization") == "Bearer abc")
      #expect(peer.field("Sec-WebSocket-Extensions") == nil)
      keys.insert(peer.field("Sec-WebSocket-Key") ?? "")
      connection.cancel()
    }
    #expect(keys.count == 2)
    #expect(keys.allSatisfy { $0.utf8.count == 24 && $0.hasSuffix("==") })
  }

  @Test(arguments: ["wss://a/", "http://a/", "ws:///x", "ws://a/#b", "ws://a:0/", "nothing"])
  func anotherURLIsRefused(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: SocketWebSocketTransport.Failure.url) { try SocketWebSocketTransport(url: url) }
  }

  @Test(arguments: [
    ("Host", "a"), ("sec-websocket-key", "a"), ("A B", "a"), ("", "a"), ("X", "a\r\nY: b"), ("X", "\0"),
  ])
  func anotherFieldIsRefused(_ name: String, _ value: String) throws {
    var options = SocketWebSocketTransport.Options()
    options.fields = [name: value]
    let url = try #require(URL(string: "ws://127.0.0.1/"))
    #expect(throws: SocketWebSocketTransport.Failure.field) {
      try SocketWebSocketTransport(url: url, options: options)
    }
  }

  @Test func aConnectionThatCannotBeMadeHasItsCause() async throws {
    let closed = try TCPListener(isOpen: false)
    let refused = InboxBook()
    let url = try #require(URL(string: "ws://127.0.0.1:\(closed.port)/"))
    _ = try SocketWebSocketTransport(url: url).connect(refused.inbox)
    #expect(await refused.next() == .refused(WebSocketRefusal(.refused)))
    let unknown = InboxBook()
    let nowhere = try #require(URL(string: "ws://nowhere.invalid/"))
    _ = try SocketWebSocketTransport(url: nowhere).connect(unknown.inbox)
    #expect(await unknown.next() == .refused(WebSocketRefusal(.dns)))
  }

  @Test func aHandshakeThatBreaksHasItsCause() async throws {
    let server = try RawServer()
    let transport = try Self.transport(server)
    let fin = InboxBook()
    _ = transport.connect(fin.inbox)
    let first = try await server.accept()
    try await first.send(Array("HTTP/1.1 101 Sw".utf8))
    first.stream.close()
    #expect(await fin.next() == .refused(WebSocketRefusal(.fin)))
    let reset = InboxBook()
    _ = transport.connect(reset.inbox)
    try await server.accept().stream.reset()
    #expect(await reset.next() == .refused(WebSocketRefusal(.reset)))
  }

  @Test func aCancelledHandshakeEndsTheConnection() async throws {
    let server = try RawServer()
    let transport = try Self.transport(server)
    let connection = transport.connect(InboxBook().inbox)
    let peer = try await server.accept()
    connection.cancel()
    connection.cancel()
    #expect(try await peer.stream.read() == [])
  }
}
