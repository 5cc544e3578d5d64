import Foundation
import GoldwireCommand
import Testing

/// `conform` over recorded clients of the corpus.
@Suite struct ConformVerbTests {
  private static let traces = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces").path

  private static func conform(_ scenario: String, _ more: String...) -> TestRun {
    TestRun(["conform", traces + "/" + scenario + "/trace.jsonl"] + more)
  }

  @Test("a machine with nothing to judge does not hide one that was judged")
  func judgesWhatThereIs() {
    let browser = Self.conform("sse-chromium-cut-between")
    #expect(browser.output.contains("nothing to judge"))
    #expect(browser.output.contains("the client does what the machine says"))
    #expect(browser.status == .expected)
    #expect(Self.conform("http-retry-post").status == .inconclusive)
  }

  @Test("a client held to another interval departs, and the first departure is named")
  func departs() {
    let run = Self.conform("ws-keepalive-answered", "--set", "heartbeat.interval=1s")
    #expect(run.status == .differs)
    #expect(run.output.contains("too early"))
  }
}
