import Foundation
import GoldwireProtocols
import GoldwireTestSupport
import Testing

@testable import GoldwireLive

/// A burst of the smallest frames, against a driver that takes its time.
@Suite(.timeLimit(.minutes(1))) struct SmallFrameTests {
  /// Counts what a transport tells between two waits for room.
  private final class Counter: Sendable {
    private let counts = Guarded((told: 0, since: 0, most: 0))
    let ended = Signal()

    var told: Int { counts.withLock { $0.told } }
    var most: Int { counts.withLock { $0.most } }

    var inbox: WebSocketInbox {
      WebSocketInbox { [self] event in
        if case .ended = event { return ended.fire() }
        counts.withLock { counts in
          counts.told += 1
          counts.since += 1
          counts.most = max(counts.most, counts.since)
        }
      } room: { [self] in
        counts.withLock { $0.since = 0 }
      }
    }
  }

  @Test func theDriverIsWaitedForWithinOneReading() async throws {
    let server = try RawServer()
    let counter = Counter()
    let transport = try SocketWebSocketTransport(url: #require(URL(string: server.url)))
    let connection = transport.connect(counter.inbox)
    let peer = try await server.open()
    let frames = (0..<40_000).flatMap { _ in RawFrame.bytes(.text, []) }
    try await peer.send(frames)
    peer.stream.shutdownWrite()
    await counter.ended.wait()
    #expect(counter.told == 40_001)
    // Half of the mailbox may be taken when the transport goes on.
    #expect(counter.most <= HeartbeatLimits().waitingCallbacks / 2)
    connection.cancel()
  }
}
