import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A signal that ends goldwire leaves none of the processes that `--machine exec:` has started.
@Suite(.enabled(if: BuiltCommand.path != nil)) struct ExecSignalTests {
  private static let trace = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces/ws-aiohttp-silent/trace.jsonl").path

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func noProcessStays(_ number: Int32) throws {
    // It says who it is, hears nothing any more, and has a child of its own that holds the error output open.
    let command = try BuiltCommand([
      "replay", Self.trace, "--machine", "exec:trap '' TERM INT HUP; echo $$ >&2; sleep 60",
    ])
    let process = try #require(pid_t(try command.errorLine()))
    #expect(kill(-process, 0) == 0)
    command.signal(number)
    #expect(try command.wait().status == -number)
    // It ends when the last of the group has gone.
    #expect(try command.errorLine().isEmpty)
  }
}
