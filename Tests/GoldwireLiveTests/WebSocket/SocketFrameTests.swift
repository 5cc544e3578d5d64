import Foundation
import GoldwireProtocols
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// Frames in both directions, against a server that sends what a test gives it.
@Suite(.timeLimit(.minutes(1))) struct SocketFrameTests {
  /// Bytes of a server, and what becomes of them.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    /// What is told before the end.
    var told: [WebSocketTransportEvent] = []
    /// The code with which the client fails the connection.
    let code: Int
    var testDescription: String { name }
  }

  private static func frame(_ head: [UInt8], _ payload: [UInt8] = []) -> [UInt8] { head + payload }
  private static let hello = RawFrame.bytes(.text, Array("hello".utf8))
  private static let told: [WebSocketTransportEvent] = [.message(.text("hello"))]

  static let breaches: [Case] = [
    Case(
      name: "a masked frame", bytes: hello + RawFrame.bytes(.text, [0x61], mask: 7), told: told, code: 1_002),
    Case(name: "a reserved bit", bytes: hello + [0xA1, 0x00], told: told, code: 1_002),
    Case(name: "the bit of compression", bytes: [0xC1, 0x00], code: 1_002),
    Case(name: "a reserved opcode", bytes: hello + [0x83, 0x00], told: told, code: 1_002),
    Case(name: "a reserved control opcode", bytes: [0x8B, 0x00], code: 1_002),
    Case(name: "a length that is not in its shortest form", bytes: [0x82, 126, 0, 1, 9], code: 1_002),
    Case(
      name: "a length of 63 bits and one", bytes: [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 1], code: 1_002),
    Case(name: "a fragmented ping", bytes: [0x09, 0x00], code: 1_002),
    Case(
      name: "a ping of 126 bytes", bytes: frame([0x89, 126, 0, 126], Array(repeating: 0, count: 126)),
      code: 1_002),
    Case(name: "a continuation of nothing", bytes: [0x80, 0x00], code: 1_002),
    Case(
      name: "a message in a message", bytes: [0x01, 0x01, 0x61] + RawFrame.bytes(.text, [0x62]), code: 1_002),
    Case(name: "text that is not UTF-8", bytes: hello + [0x81, 0x02, 0xC3, 0x28], told: told, code: 1_007),
    Case(
      name: "text that ends in a character", bytes: [0x01, 0x01, 0xC3, 0x80, 0x00], code: 1_007),
    Case(name: "a close of one byte", bytes: [0x88, 0x01, 0x03], code: 1_002),
    Case(name: "a close with 1005", bytes: [0x88, 0x02, 0x03, 0xED], code: 1_002),
    Case(name: "a close with 999", bytes: [0x88, 0x02, 0x03, 0xE7], code: 1_002),
    Case(name: "a close with 2000", bytes: [0x88, 0x02, 0x07, 0xD0], code: 1_002),
    Case(name: "a reason that is not UTF-8", bytes: [0x88, 0x03, 0x03, 0xE8, 0xFF], code: 1_007),
    Case(
      name: "a frame over the limit", bytes: hello + [0x82, 126, 0x10, 0x01], told: told, code: 1_009),
    Case(
      name: "fragments over the limit",
      bytes: RawFrame.bytes(.binary, Array(repeating: 1, count: 4_000), isFinal: false)
        + RawFrame.bytes(.continuation, Array(repeating: 1, count: 97), isFinal: false), code: 1_009),
    Case(
      name: "a message over the limit",
      bytes: RawFrame.bytes(.binary, Array(repeating: 1, count: 4_000), isFinal: false)
        + RawFrame.bytes(.continuation, Array(repeating: 1, count: 97)), code: 1_009),
  ]

  private static func open(
    _ server: RawServer, _ clock: HandClock = HandClock(),
    _ change: (inout SocketWebSocketTransport.Options) -> Void = { _ in }
  ) async throws -> (InboxBook, any WebSocketConnection, Peer) {
    var options = SocketWebSocketTransport.Options()
    options.messageBytes = 4_096
    change(&options)
    let transport = try SocketWebSocketTransport(
      url: try #require(URL(string: server.url)), options: options, clock: clock)
    let book = InboxBook()
    let connection = transport.connect(book.inbox)
    let peer = try await server.open()
    #expect(await book.next() == .opened(deflate: false))
    return (book, connection, peer)
  }

  @Test(arguments: breaches, [false, true]) func aBreach(_ given: Case, oneByOne: Bool) async throws {
    let (book, _, peer) = try await Self.open(try RawServer())
    do { try await peer.send(given.bytes, oneByOne: oneByOne) } catch {}
    #expect(await book.rest() == given.told + [.ended(.error, nil)])
    #expect(await book.next() == .closeSent(code: given.code))
    #expect(try await peer.next()?.event == .close(code: given.code))
    #expect(try await peer.next() == nil)
  }

  /// Frames that follow the rules, and what is told of them.
  @Test(arguments: [false, true]) func whatFollowsTheRulesIsTold(oneByOne: Bool) async throws {
    let (book, connection, peer) = try await Self.open(try RawServer())
    let text = Array("h\u{E9}llo \u{1F600}".utf8)
    var bytes: [UInt8] = []
    bytes += RawFrame.bytes(.text, [])
    bytes += RawFrame.bytes(.text, Array(text[..<2]), isFinal: false)
    bytes += RawFrame.bytes(.ping, [1, 2, 3])
    bytes += RawFrame.bytes(.continuation, Array(text[2..<10]), isFinal: false)
    bytes += RawFrame.bytes(.pong, [9])
    bytes += RawFrame.bytes(.continuation, Array(text[10...]))
    bytes += RawFrame.bytes(.binary, Array(repeating: 7, count: 4_096))
    bytes += RawFrame.bytes(.close, [0x0F, 0xA1])
    try await peer.send(bytes, oneByOne: oneByOne)
    // An answer to a ping is not sent behind the close.
    var events: [WebSocketTransportEvent] = []
    while events.last != .closeSent(code: 4_001) {
      let event = await book.next()
      if case .pongSent = event { continue }
      events.append(event)
    }
    #expect(
      events == [
        .message(.text("")), .pingReceived(ordinal: 1, bytes: 3), .pong(ordinal: 0, bytes: 1),
        .message(.text("h\u{E9}llo \u{1F600}")), .message(.binary(Array(repeating: 7, count: 4_096))),
        .closeReceived(code: 4_001), .closeSent(code: 4_001),
      ])
    var next = try await peer.next()
    if next?.event == .pong(bytes: 3) {
      #expect(next?.payload == [1, 2, 3])
      next = try await peer.next()
    }
    #expect(next?.event == .close(code: 4_001))
    peer.stream.close()
    #expect(await book.rest().last == .ended(.fin, .in))
    connection.cancel()
  }

  @Test func aPingIsAnsweredWithItsPayload() async throws {
    let (book, connection, peer) = try await Self.open(try RawServer())
    for ordinal in 1...3 {
      let payload = Array(repeating: UInt8(ordinal), count: ordinal * 40)
      try await peer.send(.ping, payload)
      #expect(await book.next() == .pingReceived(ordinal: ordinal, bytes: payload.count))
      #expect(await book.next() == .pongSent(ordinal: ordinal, bytes: payload.count))
      let answer = try await peer.next()
      #expect(answer?.event == .pong(bytes: payload.count))
      #expect(answer?.payload == payload)
    }
    connection.cancel()
  }

  @Test func aPongIsKnownByItsPayload() async throws {
    let (book, connection, peer) = try await Self.open(try RawServer())
    connection.ping(1) { Issue.record("completed \($0)") }
    connection.ping(2) { Issue.record("completed \($0)") }
    let first = try #require(try await peer.next())
    let second = try #require(try await peer.next())
    #expect(first.event == .ping(bytes: connection.pingBytes ?? 0))
    #expect(first.payload != second.payload)
    try await peer.send(.pong, second.payload)
    try await peer.send(.pong, first.payload)
    try await peer.send(.pong, Array(first.payload.dropLast()) + [3])
    try await peer.send(.pong, [])
    for ordinal in [2, 1, 0] { #expect(await book.next() == .pong(ordinal: ordinal, bytes: 8)) }
    #expect(await book.next() == .pong(ordinal: 0, bytes: 0))
    connection.cancel()
  }

  // MARK: Out

  @Test func framesAreMaskedEachWithItsOwnKey() async throws {
    let (_, connection, peer) = try await Self.open(try RawServer())
    connection.send(.text("aaaa")) { #expect($0) }
    connection.send(.text("aaaa")) { #expect($0) }
    var bytes: [UInt8] = []
    while bytes.count < 20 { bytes += try await peer.stream.read() }
    #expect(Array(bytes[0..<2]) == [0x81, 0x84])
    #expect(Array(bytes[10..<12]) == [0x81, 0x84])
    #expect(bytes[2..<6] != bytes[12..<16])
    for start in [2, 12] {
      #expect((0..<4).map { bytes[start + $0] ^ bytes[start + 4 + $0] } == Array("aaaa".utf8))
    }
    connection.cancel()
  }

  @Test func messagesAreSentInFragmentsByOption() async throws {
    let (_, connection, peer) = try await Self.open(try RawServer()) { $0.fragmentBytes = 100 }
    let content = (0..<250).map { UInt8($0) }
    connection.send(.binary(content)) { #expect($0) }
    connection.send(.text("")) { #expect($0) }
    let message = try #require(try await peer.next())
    guard case .message(let facts) = message.event else { throw SocketError.closed }
    #expect(facts.frames == 3 && facts.content == .read)
    #expect(message.payload == content)
    guard case .message(let empty)? = try await peer.next()?.event else { throw SocketError.closed }
    #expect(empty.frames == 1 && empty.bytes == 0)
    connection.cancel()
  }

  @Test func whatFindsNoRoomIsNotSent() async throws {
    let (_, connection, peer) = try await Self.open(try RawServer()) { $0.waitingBytes = 1 << 20 }
    // The peer does not read, so that what the system does not take has to wait.
    let results = Guarded<[Bool]>([])
    let piece = [UInt8](repeating: 1, count: 300_000)
    for _ in 0..<100 {
      connection.send(.binary(piece)) { isSent in results.withLock { $0.append(isSent) } }
    }
    #expect(results.withLock { $0.contains(false) })
    connection.cancel()
    while !(try await peer.stream.read()).isEmpty {}
    #expect(results.withLock { $0.count } == 100)
  }

  // MARK: Ends

  @Test func theClientClosesAndWaitsForTheServer() async throws {
    let (book, connection, peer) = try await Self.open(try RawServer())
    connection.send(.text("last")) { #expect($0) }
    connection.close(.goingAway)
    connection.close(.normal)
    connection.send(.text("too late")) { #expect(!$0) }
    #expect(try await peer.next()?.payload == Array("last".utf8))
    #expect(try await peer.next()?.event == .close(code: 1_001))
    // What the server has sent before it knew is still told.
    try await peer.send(.text, [0x61])
    try await peer.send(.close, [0x03, 0xE9])
    peer.stream.close()
    #expect(
      await book.rest() == [.message(.text("a")), .closeReceived(code: 1_001), .ended(.fin, .in)])
  }

  @Test func aServerThatDoesNotEndIsGivenUp() async throws {
    let clock = HandClock()
    let (book, connection, peer) = try await Self.open(try RawServer(), clock)
    connection.close(.normal)
    #expect(try await peer.next()?.event == .close(code: 1_000))
    clock.advance(to: 5_000_000)
    #expect(await book.rest() == [.ended(.timeout, nil)])
    #expect(try await peer.next() == nil)
  }

  @Test func aCloseWithoutACodeIsAnsweredWithoutOne() async throws {
    let (book, _, peer) = try await Self.open(try RawServer())
    try await peer.send(.close, [])
    #expect(await book.next() == .closeReceived(code: nil))
    #expect(try await peer.next()?.event == .close(code: nil))
    peer.stream.close()
    #expect(await book.rest() == [.closeSent(code: nil), .ended(.fin, .in)])
  }

  @Test func theEndOfTheStreamHasItsCause() async throws {
    let server = try RawServer()
    let (fin, _, first) = try await Self.open(server)
    try await first.send(.text, [0x61])
    first.stream.close()
    #expect(await fin.rest() == [.message(.text("a")), .ended(.fin, .in)])
    let (reset, _, second) = try await Self.open(server)
    second.stream.reset()
    #expect(await reset.rest() == [.ended(.reset, .in)])
    let (own, connection, third) = try await Self.open(server)
    connection.cancel()
    #expect(await own.rest() == [.ended(.fin, .out)])
    #expect(try await third.next() == nil)
    connection.ping(1) { #expect($0 == .cancelled) }
  }
}
