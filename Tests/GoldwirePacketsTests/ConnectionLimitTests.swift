import GoldwirePackets
import GoldwireTestSupport
import Testing

/// How many connections are kept, which make way, and that the hash's seed is never seen.
@Suite struct ConnectionLimitTests {
  @Test("A full table gives up the connection that ended or was silent longest, and drains it")
  func eviction() {
    var limits = PacketLimits()
    limits.connections = 2
    var capture = CaptureBuilder()
    let sockets = (0..<4).map { _ in capture.connection() }
    capture.connect(sockets[0])
    capture.connect(sockets[1])
    capture.ack(sockets[0], by: .server)
    capture.lost { $0.send(sockets[1], .client, "ab") }
    capture.send(sockets[1], .client, "cd")
    capture.send(sockets[0], .client, "alive")
    capture.connect(sockets[2])
    capture.close(sockets[2])
    capture.send(sockets[0], .client, " still")
    capture.connect(sockets[3])
    capture.send(sockets[3], .client, "last")
    let harness = StreamHarness.run(capture, limits: limits)
    #expect(
      harness.heard.map(\.client) == [
        [.text("alive still")], [.gap(2, .lost), .text("cd")], [.fin], [.text("last")],
      ])
    #expect(harness.table.evicted == 2)
    #expect(harness.table.indices.count == 3)
  }

  @Test("Closed connections are remembered for their stragglers, for a while and in a number")
  func closed() {
    func opened(wait: Int, limit: Int = 4_096) -> Int {
      var limits = PacketLimits()
      limits.closedWait = 1_000_000
      limits.closedConnections = limit
      var capture = CaptureBuilder()
      let old = capture.connection()
      capture.connect(old)
      capture.close(old)
      capture.now += wait
      capture.connect(capture.connection())
      capture.ack(old, by: .client)
      return StreamHarness.run(capture, limits: limits).table.opened
    }
    #expect(opened(wait: 0) == 2)
    #expect(opened(wait: 2_000_000) == 3)
    #expect(opened(wait: 0, limit: 0) == 3)
  }

  @Test("An index is used again only for a connection that is said to be new")
  func indices() {
    var limits = PacketLimits()
    limits.closedConnections = 0
    var capture = CaptureBuilder()
    for number in 0..<50 {
      let socket = capture.connection()
      capture.connect(socket)
      capture.send(socket, .client, "\(number)")
      capture.close(socket)
    }
    let harness = StreamHarness.run(capture, limits: limits)
    #expect(harness.heard.map(\.client) == (0..<50).map { [.text("\($0)"), .fin] })
    #expect(harness.table.indices.count <= 2)
  }

  @Test("Any seed gives the same connections, in the same order, at the same indices")
  func seeds() {
    var random = SeededGenerator(seed: 5)
    var capture = CaptureBuilder()
    var sockets: [CaptureBuilder.Socket] = []
    for _ in 0..<3_000 {
      if sockets.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
        sockets.append(capture.connection(ipv6: Bool.random(using: &random)))
        if let last = sockets.last { capture.connect(last) }
      }
      let index = Int.random(in: sockets.indices, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        capture.close(sockets.remove(at: index))
      } else {
        capture.send(sockets[index], .client, [UInt8(index % 251)])
      }
    }
    var limits = PacketLimits()
    limits.connections = 300
    limits.closedConnections = 20
    let reference = StreamHarness.run(capture, seed: 0, limits: limits)
    #expect(reference.table.opened > 500)
    for seed: UInt64 in [1, .max, 0x0123_4567_89AB_CDEF] {
      #expect(StreamHarness.run(capture, seed: seed, limits: limits).heard == reference.heard)
    }
  }

  @Test("An index without a connection has no key and nothing to say")
  func unknown() {
    var table = ConnectionTable(seed: 1)
    var buffer: [UInt8] = []
    table.finish(3)
    #expect(table.pull(3, into: &buffer) == nil)
    #expect(table.key(of: -1) == nil)
    #expect(table.facts(of: 0, .first) == SideFacts())
  }
}
