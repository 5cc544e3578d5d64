import GoldwireTestSupport
import Testing

@testable import GoldwireRuntime

/// Connections over the loopback interface: what each side sees of the other.
@Suite(.timeLimit(.minutes(5))) struct TCPStreamTests {
  @Test func bytesComeBackWhole() async throws {
    let pair = try await SocketPair()
    // More than the system keeps on the way, so that both sides have to wait for each other.
    let sent = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let echo = Task {
      while true {
        let bytes = try await pair.server.read()
        if bytes.isEmpty { break }
        try await pair.server.write(bytes)
      }
      pair.server.shutdownWrite()
    }
    let writer = Task {
      try await pair.client.write(sent)
      pair.client.shutdownWrite()
    }
    let got = try await pair.client.read(exactly: sent.count + 1)
    #expect(got == sent)
    try await writer.value
    try await echo.value
    #expect(pair.client.localPort == pair.server.remotePort)
    #expect(pair.client.remotePort == pair.server.localPort)
  }

  @Test func aFINIsTheEndOfTheStreamAndTheOtherDirectionGoesOn() async throws {
    let pair = try await SocketPair()
    pair.server.shutdownWrite()
    #expect(try await pair.client.read() == [])
    #expect(try await pair.client.read() == [])
    try await pair.client.write([1, 2, 3])
    #expect(try await pair.server.read(exactly: 3) == [1, 2, 3])
    await #expect(throws: SocketError.closed) { try await pair.server.write([4]) }
  }

  @Test func aResetIsSeenAsOneAndStaysOne() async throws {
    let pair = try await SocketPair()
    let waiting = Task { try await pair.client.read() }
    pair.server.reset()
    await #expect(throws: SocketError.reset) { try await waiting.value }
    await #expect(throws: SocketError.reset) { try await pair.client.read() }
    await #expect(throws: SocketError.reset) { try await pair.client.write([1]) }
  }

  @Test func aWriteThatFindsTheResetLeavesItForTheReader() async throws {
    let pair = try await SocketPair()
    pair.server.reset()
    await SocketLoop.shared.settle()
    await #expect(throws: SocketError.reset) { while true { try await pair.client.write([1]) } }
    await #expect(throws: SocketError.reset) { try await pair.client.read() }
  }

  @Test func aPortWhereNobodyListensRefuses() async throws {
    let port = try TCPListener(isOpen: false)
    await #expect(throws: SocketError.refused) { try await TCPStream.connect(to: .loopback(port.port)) }
    await #expect(throws: SocketError.refused) {
      try await TCPStream.connect(host: "127.0.0.1", port: port.port)
    }
  }

  @Test func whoMeetsItselfIsKnown() async throws {
    // The system may give a connecting side the very port that it connects to; here it is made to.
    let descriptor = try SocketCalls.stream()
    try SocketCalls.bind(descriptor, .loopback(0))
    let port = SocketCalls.port(descriptor, ofPeer: false)
    _ = try SocketCalls.connect(descriptor, .loopback(port))
    #expect(SocketCalls.isOwnPeer(descriptor))
    SocketCalls.close(descriptor)
    let pair = try await SocketPair()
    #expect(pair.client.localPort != pair.client.remotePort)
  }

  @Test func aHostThatHasNoAddressIsNamedSo() async throws {
    await #expect(throws: SocketError.dns) {
      try await SocketAddress.resolve(host: "no such.invalid", port: 1)
    }
  }

  @Test func cancellingEndsAReadThatWaits() async throws {
    let pair = try await SocketPair()
    let begun = Signal()
    let reader = Task {
      begun.fire()
      return try await pair.client.read()
    }
    await begun.wait()
    reader.cancel()
    await #expect(throws: SocketError.cancelled) { try await reader.value }
    // The stream is as it was.
    try await pair.server.write([7])
    #expect(try await pair.client.read() == [7])
  }

  @Test func aTaskThatIsCancelledAlreadyDoesNothing() async throws {
    let pair = try await SocketPair()
    let gate = Signal()
    let task = Task {
      await gate.wait()
      await #expect(throws: SocketError.cancelled) { try await pair.client.read() }
      await #expect(throws: SocketError.cancelled) { try await pair.client.write([1]) }
      await #expect(throws: SocketError.cancelled) { try await TCPStream.connect(to: .loopback(1)) }
    }
    task.cancel()
    gate.fire()
    await task.value
    pair.client.shutdownWrite()
    #expect(try await pair.server.read() == [])
  }

  @Test func aWriteThatIsCancelledInTheMiddleTearsTheStream() async throws {
    let pair = try await SocketPair(receiveBuffer: 4096)
    let writer = Task { try await pair.client.write([UInt8](repeating: 1, count: 8_000_000)) }
    // Once its first byte is there it has begun, and it cannot end while nobody reads on.
    _ = try await pair.server.read(atMost: 1)
    writer.cancel()
    await #expect(throws: SocketError.cancelled) { try await writer.value }
    await #expect(throws: SocketError.closed) { try await pair.client.write([1]) }
  }

  @Test func closingWakesWhoeverWaits() async throws {
    let pair = try await SocketPair(receiveBuffer: 4096)
    let reader = Task { try await pair.client.read() }
    let writer = Task { try await pair.client.write([UInt8](repeating: 1, count: 8_000_000)) }
    _ = try await pair.server.read(atMost: 1)
    pair.client.close()
    pair.client.close()
    await #expect(throws: SocketError.closed) { try await reader.value }
    await #expect(throws: SocketError.closed) { try await writer.value }
    await #expect(throws: SocketError.closed) { try await pair.client.read() }
  }

  @Test func writesOfTwoTasksDoNotMix() async throws {
    let pair = try await SocketPair()
    let size = 3_000_000
    await withTaskGroup(of: Void.self) { group in
      for byte in UInt8(1)...3 {
        group.addTask { try? await pair.client.write([UInt8](repeating: byte, count: size)) }
      }
      group.addTask {
        let got = (try? await pair.server.read(exactly: size * 3)) ?? []
        #expect(got.count == size * 3)
        var changes = 0
        for index in got.indices.dropFirst() where got[index] != got[index - 1] { changes += 1 }
        #expect(changes == 2)
      }
    }
  }
}
