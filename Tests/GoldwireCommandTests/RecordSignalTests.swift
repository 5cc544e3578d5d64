import Foundation
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Recordings that are ended from outside: signals, and no reader left.
@Suite(.enabled(if: BuiltCommand.path != nil)) struct RecordSignalTests {
  static let isRoot = geteuid() == 0

  @Test(arguments: [SIGHUP, SIGINT, SIGTERM]) func aSignalEndsARecordingCleanly(_ number: Int32) throws {
    let command = try BuiltCommand(["record", "-r", "-", "-w", "-"])
    try command.write(RecordVerbTests.exchange.bytes)
    // The header is out, so signals are looked for.
    #expect(try command.outputLine().hasPrefix(#"{"goldwire":1,"#))
    command.signal(number)
    let end = try command.wait()
    #expect(end.status == 0)
    #expect(end.output.split(separator: "\n").last?.contains(#""ev":"rec.end","why":"signal""#) == true)
  }

  @Test func aWishForProgressEndsNothing() throws {
    let command = try BuiltCommand(["record", "-r", "-", "-w", "-"])
    try command.write(RecordVerbTests.exchange.bytes)
    _ = try command.outputLine()
    command.signal(SIGUSR1)
    try command.closeInput()
    let end = try command.wait()
    #expect(end.status == 0)
    #expect(end.output.split(separator: "\n").last?.contains(#""ev":"rec.end","why":"eof""#) == true)
  }

  @Test func anIgnoredHangUpStaysIgnored() throws {
    let command = try BuiltCommand(["record", "-r", "-", "-w", "-"], ignoring: "HUP")
    try command.write(RecordVerbTests.exchange.bytes)
    _ = try command.outputLine()
    command.signal(SIGHUP)
    try command.closeInput()
    let end = try command.wait()
    #expect(end.status == 0)
    #expect(end.output.split(separator: "\n").last?.contains(#""ev":"rec.end","why":"eof""#) == true)
  }

  @Test(.enabled(if: RecordSignalTests.isRoot)) func aKilledLiveRecordingIsReadable() throws {
    let folder = try RecordVerbTests.Folder()
    let path = folder.path + "/a.jsonl.gz"
    let command = try BuiltCommand([
      "record", "-i", "lo", "-w", path, "-B", "1024", "-s", "128", "tcp port 9",
    ])
    #expect(try command.errorLine().contains("listening on lo"))
    command.signal(SIGKILL)
    #expect(try command.wait().status == -SIGKILL)
    #expect(try Trace.load(path: path).header.source == .pcap)
  }

  @Test(.enabled(if: RecordSignalTests.isRoot)) func rightsAreGivenUpBeforeTheOutputIsMade() throws {
    let folder = try RecordVerbTests.Folder()
    let nobody = try #require(unsafe getpwnam("nobody").map { unsafe $0.pointee.pw_uid })
    let file = try folder.write(RecordVerbTests.exchange.bytes, "a.pcap")
    // The capture is root's alone, the folder is everybody's.
    unsafe chmod(file, 0o600)
    unsafe chmod(folder.path, 0o777)
    let command = try BuiltCommand(["record", "-r", file, "-w", folder.path + "/a.jsonl", "-Z", "nobody"])
    #expect(try command.wait().status == 0)
    let owner = try FileManager.default.attributesOfItem(atPath: folder.path + "/a.jsonl")[.ownerAccountID]
    #expect((owner as? NSNumber)?.uint32Value == nobody)

    // Where only root may write, no output is made.
    unsafe chmod(folder.path, 0o755)
    let refused = try BuiltCommand(["record", "-r", file, "-w", folder.path + "/b.jsonl", "-Z", "nobody"])
    #expect(try refused.errorLine().hasSuffix("b.jsonl: cannot open: permission denied"))
    #expect(try refused.wait().status == 2)
  }
}
