import Foundation
import GoldwireCommand
import GoldwireTestSupport
import Testing

/// No verb prints a piece of a secret, whatever it draws, explains, writes or refuses.
@Suite struct CanaryOutputTests {
  private static func capture(_ canary: inout Canary) -> CaptureBuilder {
    var capture = CaptureBuilder(.pcapng)
    var comment: [UInt8] = []
    capture.option(1, Array(canary.next().utf8), in: &comment)
    capture.addBlock(0x0000_0BAD, comment)
    capture.addKeyLog("CLIENT_RANDOM \(canary.next()) \(canary.next())\n")
    var socket = capture.connection()
    capture.connect(socket)
    for attempt in 0..<2 {
      capture.send(
        socket, .client,
        "GET /\(attempt > 0 ? "x" : "x")?t=1 HTTP/1.1\r\nHost: a\r\nAuthorization: \(canary.next())\r\n\r\n")
      capture.send(
        socket, .server,
        "HTTP/1.1 503 \(canary.next())\r\nRetry-After: \(canary.next())\r\nContent-Length: 20\r\n\r\n"
          + String((canary.next() + String(repeating: " ", count: 20)).prefix(20)), at: capture.now + 1_000)
    }
    capture.close(socket)
    socket = capture.connection(server: .v4(3, port: 80))
    capture.connect(socket)
    capture.send(
      socket, .client,
      "GET /\(canary.next()) HTTP/1.1\r\nHost: \(canary.next())\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
    capture.send(
      socket, .server, "HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    for number in 0..<3 {
      let secret = Array(canary.next().utf8)
      capture.send(
        socket, .client, [0x89, 0x80 | UInt8(secret.count), 0, 0, 0, 0] + secret, at: capture.now + 300_000)
      if number < 2 { capture.send(socket, .server, [0x8A, UInt8(secret.count)] + secret) }
    }
    capture.close(socket)
    socket = capture.connection(server: .v4(4, port: 80))
    capture.connect(socket)
    capture.send(
      socket, .client,
      "GET /\(canary.next()) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nLast-Event-ID: \(canary.next())\r\n\r\n"
    )
    capture.send(
      socket, .server,
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: \(canary.next())\ndata: \(canary.next())\n\n"
    )
    capture.rst(socket, .server)
    return capture
  }

  private static let inForce =
    "heartbeat.interval=300ms,heartbeat.timeout=200ms,retry.base=1s,retry.count=3,stream.delay=3s"

  /// Runs a verb, and looks at all that it printed.
  private static func check(_ canary: Canary, _ words: [String], _ statuses: Set<CommandStatus>) {
    for width in [72, 140] {
      let run = TestRun(words, width: width)
      #expect(statuses.contains(run.status), "\(words): \(run.errors)")
      #expect(canary.leaks(in: Array((run.output + run.errors).utf8)) == nil, "\(words)")
    }
  }

  @Test func noVerbPrintsASecret() throws {
    var canary = Canary()
    let folder = try RecordVerbTests.Folder()
    let file = try folder.write(Self.capture(&canary).bytes, "a.pcapng")
    let trace = folder.path + "/trace.jsonl"
    Self.check(canary, ["record", "-r", file, "-w", trace, "--in-force", Self.inForce], [.expected])
    for words in [
      ["record", "-r", file], ["record", "-r", file, "--json"], ["show", trace], ["show", "--json", trace],
    ] {
      Self.check(canary, words, [.expected])
    }
    Self.check(canary, ["audit", trace], [.expected])
    Self.check(
      canary, ["cut", "-r", trace, "-w", folder.path + "/part.jsonl", "--from", "100ms"], [.expected])
    for machine in ["heartbeat", "retry", "stream"] {
      for extra in [[], ["--json"]] {
        Self.check(
          canary, ["replay", trace, "--machine", machine] + extra, [.expected, .inconclusive, .differs])
      }
    }
    Self.check(canary, ["conform", trace], [.expected, .differs, .inconclusive])
    Self.check(
      canary, ["test", "--record", "missing", folder.path], [.expected, .differs, .inconclusive, .failed])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasSuffix("pcapng") {
      #expect(canary.leaks(in: Array(try folder.read(name).utf8)) == nil, "\(name)")
    }
  }

  /// What is refused is not quoted: each of these files is a secret where something else was expected.
  @Test(arguments: [
    "@", #"{"log":{"entries":[{"startedDateTime":"@"}]}}"#, #"{"log":{"@":@}}"#, #"{"log":{"entries":@}}"#,
    #"{"goldwire":1,"tool":"@"}"#, #"{"goldwire":"@"}"#, #"{"@":1}"#,
    #"{"goldwire":1,"tool":"goldwire 0.1.0","source":"@","unit":"ms","clock":"virtual","at":"client"}"#,
    #"{"golden":1,"trace":"trace.jsonl","machine":"@"}"#,
  ]) func whatIsRefusedIsNotQuoted(_ text: String) throws {
    var canary = Canary()
    let folder = try RecordVerbTests.Folder()
    let bytes = Array(
      text.split(separator: "@", omittingEmptySubsequences: false).joined(separator: canary.next()).utf8)
    for name in ["a.pcap", "a.har", "a.jsonl", "trace.heartbeat.golden.jsonl", "goldwire.json"] {
      _ = try folder.write(bytes, name)
    }
    let path = folder.path + "/"
    let refused: Set<CommandStatus> = [.failed, .differs]
    Self.check(canary, ["record", "-r", path + "a.pcap"], refused)
    Self.check(canary, ["import", "har", path + "a.har", "-w", path + "out"], refused)
    for verb in ["show", "audit", "conform"] { Self.check(canary, [verb, path + "a.jsonl"], refused) }
    Self.check(canary, ["cut", "-r", path + "a.jsonl", "-w", path + "out", "--from", "1s"], refused)
    Self.check(canary, ["replay", path + "a.jsonl", "--machine", "heartbeat"], refused)
    Self.check(canary, ["test", folder.path], refused)
  }
}
