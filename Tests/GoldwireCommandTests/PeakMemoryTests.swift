import Foundation
import GoldwireTestSupport
import Testing

/// What the command as a process takes of memory; `tools/endure memory` measures more, and larger, captures.
@Suite(.enabled(if: BuiltCommand.path != nil)) struct PeakMemoryTests {
  /// Runs a command and gives its status as `wait4` does, and the most memory that it had, in MiB.
  ///
  /// On Linux that is never less than what this process had, since a child begins with its parent's.
  private static func run(_ path: String, _ words: [String] = []) throws -> (status: Int32, mebibytes: Int) {
    var process: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + words).map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    try #require(unsafe posix_spawn(&process, path, nil, nil, &arguments, environ) == 0)
    var status: Int32 = 0
    var usage = rusage()
    while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    #if canImport(Darwin)
      return (status, usage.ru_maxrss >> 20)
    #else
      return (status, usage.ru_maxrss >> 10)
    #endif
  }

  @Test("A hundred thousand half-open connections, and events behind holes, take what the limits allow")
  func floods() throws {
    let folder = try RecordVerbTests.Folder()
    var capture = CaptureBuilder(link: .raw(101))
    var segment = BuiltSegment(from: .v4(9, port: 0), to: .v4(2, port: 80), sequence: 0)
    segment.flags = 2
    var packet = segment.packet
    for number in 0..<100_000 {
      for (place, value) in [(14, number >> 8), (15, number), (20, number >> 12), (21, number >> 4)] {
        packet[place] = UInt8(truncatingIfNeeded: value)
      }
      capture.add(packet: packet, at: number)
    }
    for _ in 0..<4 {
      let socket = capture.connection(server: .v4(3, port: 80))
      capture.connect(socket)
      capture.send(socket, .client, "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
      capture.send(socket, .server, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      capture.lost { $0.send(socket, .server, "data\n\n") }
      let events = Array(repeating: Array("data\n\n".utf8), count: 50_000).flatMap { $0 }
      capture.send(socket, .server, events, size: 60_000)
    }
    let file = try folder.write(capture.bytes, "a.pcap")
    let made = try Self.run(
      try #require(BuiltCommand.path), ["record", "-r", file, "-w", folder.path + "/a.jsonl"])
    let inherited = try Self.run("/bin/sh", ["-c", "exit 0"]).mebibytes
    #expect(made.status == 0)
    #expect(made.mebibytes <= max(128, inherited))
  }
}
