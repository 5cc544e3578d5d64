import GoldwireMachines
import Testing

/// The README's Swift example, run; the README must hold the same lines.
@Suite struct ReadmeExampleTests {
  @Test func theExampleDoesWhatItsCommentsSay() throws {
    // begin
    var heartbeat = Heartbeat(interval: 30_000, timeout: 5_000)
    let generation = heartbeat.connect()
    heartbeat.opened(generation, now: 0)
    let first = heartbeat.tick(now: 30_000)  // .ping(1)
    let second = heartbeat.tick(now: 35_000)  // .close(1): no pong came
    // end
    #expect(first == .ping(1))
    #expect(second == .close(1))

    let source = try Repository.text("Tests/HouseTests/ReadmeExampleTests.swift")
    let example = source.split(separator: "    // begin\n").last?.split(separator: "    // end\n").first ?? ""
    let lines = example.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    #expect(lines.count == 5)
    #expect(try Repository.text("README.md").contains("```swift\n" + lines.joined(separator: "\n") + "\n```"))
  }
}
