import Foundation
import GoldwireLive
import GoldwireServer
import GoldwireTrace
import Testing

/// An attempt is one request on the wire, also where the connection before it is dead.
@Suite(.timeLimit(.minutes(1))) struct SentOnceTests {
  @Test(arguments: ["reset", "close"]) func aDeadConnectionGetsNoSecondRequest(_ deed: String) async throws {
    let bench = try RealBench(
      #"{"script":1,"rules":[{"path":"*","http":[{"body":5},{"do":"\#(deed)"},{"body":5}]}]}"#)
    #expect(try await bench.send("/a").body.bytes().count == 5)
    await #expect(throws: TransportFailure.self) { try await bench.send("/b") }
    await bench.server.stop()
    let sends = bench.server.log.lines.count { line in
      if case .httpSend = line.event { true } else { false }
    }
    #expect(sends == 2)
  }
}
