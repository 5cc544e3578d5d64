import Foundation
import GoldwireCommand
import GoldwireTestSupport
import Testing

/// An hour of 30 s pings as a capture has it, recorded, and asked with the interval in force and with others.
@Suite struct HourOfPingsTests {
  /// Each ping is answered after 40 ms; the next leaves 30 s and 1 ms after that.
  static var capture: CaptureBuilder {
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    capture.send(
      socket, .client,
      "GET /live HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
    let payload: [UInt8] = [1, 2, 3, 4]
    while capture.now < 3_600_000_000 {
      capture.now += 30_001_000
      capture.send(socket, .client, [0x89, 0x84, 0, 0, 0, 0] + payload)
      capture.now += 40_000
      capture.send(socket, .server, [0x8A, 0x04] + payload)
    }
    return capture
  }

  @Test(
    "30 s is kept to; 25 s goes no other way; with 31 s nobody knows: neither a false close nor a false green",
    arguments: ["25s", "30s", "31s"])
  func anHourAsked(interval: String) throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/hour-\(interval)-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(Self.capture.bytes).write(to: URL(filePath: folder + "/hour.pcap"))

    let recorded = TestRun([
      "record", "-r", folder + "/hour.pcap", "-w", folder + "/hour.jsonl",
      "--in-force", "heartbeat.interval=30s,heartbeat.timeout=10s", "--at", "client",
    ])
    #expect(recorded.status == .expected)
    #expect(TestRun(["conform", folder + "/hour.jsonl"]).status == .expected)
    #expect(TestRun(["test", "--record", "missing", folder]).status == .expected)
    #expect(TestRun(["test", folder]).status == .expected)

    let asked = TestRun(["test", "--set", "heartbeat.interval=" + interval, folder])
    let predicted = TestRun([
      "replay", "--causal", folder + "/hour.jsonl", "--set", "heartbeat.interval=" + interval,
    ])
    #expect(predicted.status == asked.status)
    if interval == "31s" {
      #expect(asked.status == .inconclusive)
      #expect(asked.output.contains("1 golden: 1 inconclusive"))
      #expect(asked.output.contains("pings follow 31s of silence, and no silence over 30.0"))
      #expect(predicted.output.contains("heartbeat.interval 30s → 31s: inconclusive\n"))
    } else {
      #expect(asked.status == .expected)
      #expect(asked.output == "1 golden: 1 same\n")
      #expect(predicted.output.contains(": same\n"))
    }
  }
}
