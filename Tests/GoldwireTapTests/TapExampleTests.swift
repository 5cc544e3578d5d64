import Foundation
import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Testing

/// The examples of docs/tap.md, run; the page must hold the same lines.
@Suite struct TapExampleTests {
  private static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

  @Test func theExamplesRun() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/goldwire-tap-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/flight.jsonl"
    let parameters = try Heartbeat.Parameters(interval: 30_000_000, timeout: 5_000_000)
    // begin
    let tap = try Tap(writingTo: path, parameters: TapParameters(heartbeat: parameters))
    let chat = tap.socket()  // one for each logical session, over all its connections
    let connection = chat.connect()  // one for each connection: its callbacks keep this value
    connection.opened()
    let ping = connection.pingSent()
    connection.pinged(ping, result: .ok)
    connection.message(.in, .text, bytes: 120)
    connection.closeSent(code: 1000, by: .user)
    connection.ended(.fin, .in)
    tap.finish()
    // end
    #expect(try Trace.load(path: path).lines.count == 8)
    #expect(try TraceAudit.findings(in: ByteInput(path: path)) == [])
    // begin
    let dumps = FlightDumps(to: path, on: [.closedByMachine, .stopped(.budget), .status(500...599)])
    let recorder = Tap.flightRecorder(keeping: FlightLimits(span: .seconds(300)), dumps: dumps)
    // end
    recorder.socket().connect().closeSent(by: .machine)
    recorder.flush()
    #expect(try Trace.load(path: folder + "/flight.1.jsonl").lines.count == 3)

    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = try String(contentsOfFile: Self.root + "/docs/tap.md", encoding: .utf8)
    let examples = source.components(separatedBy: "    // begin\n").dropFirst().prefix(2).map {
      $0.components(separatedBy: "    // end\n")[0].split(separator: "\n").map { $0.drop { $0 == " " } }
        .joined(separator: "\n")
    }
    #expect(examples.count == 2)
    for example in examples { #expect(page.contains("```swift\n" + example + "\n```")) }
  }
}
