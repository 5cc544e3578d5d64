import Foundation
import Testing

@testable import GoldwireRuntime

/// Many connections at once, and what is left when they are gone.
@Suite(.timeLimit(.minutes(5))) struct TCPListenerTests {
  @Test func aThousandConnectionsAreServedAtOnce() async throws {
    Self.allowFiles(4096)
    let listener = try TCPListener()
    let server = Task { await Self.echo(listener) }
    var clients: [TCPStream] = []
    for _ in 0..<1000 { clients.append(try await TCPStream.connect(to: .loopback(listener.port))) }
    let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
      for (index, client) in clients.enumerated() {
        group.addTask {
          let word = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 100)
          for _ in 0..<3 {
            try await client.write(word)
            if try await client.read(exactly: 100) != word { return false }
          }
          return true
        }
      }
      return try await group.reduce(into: 0) { count, isRight in count += isRight ? 1 : 0 }
    }
    #expect(answers == 1000)
    for client in clients { client.close() }
    listener.close()
    #expect(await server.value == 1000)
  }

  @Test func closingEndsAcceptAndRefusesFromThenOn() async throws {
    let listener = try TCPListener()
    let accepting = Task { try await listener.accept() }
    listener.close()
    await #expect(throws: SocketError.closed) { try await accepting.value }
    await SocketLoop.shared.settle()
    await #expect(throws: SocketError.refused) { try await TCPStream.connect(to: .loopback(listener.port)) }
  }

  @Test func twoCannotListenAtOnePort() throws {
    let listener = try TCPListener()
    #expect(throws: SocketError.other(EADDRINUSE)) { try TCPListener(port: listener.port) }
  }

  /// In a process of its own, since other tests open files.
  @Test func noDescriptorIsLeftBehind() async {
    await #expect(processExitsWith: .success) {
      let first = try await SocketPair()
      for stream in [first.client, first.server] { stream.close() }
      await SocketLoop.shared.settle()
      let before = TCPListenerTests.openSockets()
      for index in 0..<50 {
        let pair = try await SocketPair()
        let reader = Task { try await pair.client.read() }
        switch index % 3 {
        case 0: pair.server.reset()
        case 1: reader.cancel()
        default: pair.client.close()
        }
        _ = await reader.result
        let refused = try TCPListener(isOpen: false)
        _ = try? await TCPStream.connect(to: .loopback(refused.port))
        for stream in [pair.client, pair.server] { stream.close() }
        refused.close()
      }
      await SocketLoop.shared.settle()
      let after = TCPListenerTests.openSockets()
      precondition(after == before, "\(after) sockets for \(before)")
    }
  }

  /// Answers each connection with its own bytes until it ends; gives how many there were.
  private static func echo(_ listener: TCPListener) async -> Int {
    await withTaskGroup(of: Void.self) { group in
      var count = 0
      while let stream = try? await listener.accept() {
        count += 1
        group.addTask {
          while let bytes = try? await stream.read(), !bytes.isEmpty { try? await stream.write(bytes) }
        }
      }
      return count
    }
  }

  /// How many sockets the process has open; the runtime opens other files when it likes.
  static func openSockets() -> Int {
    (0..<4096).count { number in
      var status = stat()
      return unsafe fstat(Int32(number), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
  }

  /// Lets the process open so many files, if the system does.
  static func allowFiles(_ count: UInt) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
  }
}
