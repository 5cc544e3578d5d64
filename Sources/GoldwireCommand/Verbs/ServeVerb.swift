import Dispatch
import GoldwireCapture
import GoldwireServer
import GoldwireTrace

/// `goldwire serve`.
package struct ServeVerb: Verb {
  package static let name = "serve"
  package static let summary = "serve clients on 127.0.0.1 as a script or a trace says"
  package static let flags: [Flag] = [
    .value("script"), .value("play"), .value("port", short: "p"), .write, .value("scale"), .value("duration"),
  ]
  package static let help = """
    usage: goldwire serve (--script NAME-OR-FILE | --play TRACE) [-p PORT] [-w FILE] [FLAGS]

    Serves WebSocket, HTTP/1.1 and event streams on 127.0.0.1, and does to its clients what a script
    says: answers, delays, drops and doubles pongs, closes, resets, refuses, falls silent, asks to
    retry later, cuts streams. Nothing of another machine reaches it.

          --script NAME-OR-FILE  a script that comes with goldwire, or a file of your own; '-' is
                                 standard input. docs/server.md has the language

    \(scripts)

          --play TRACE           play the server's side of a trace: its openings, refusals, pongs,
                                 messages by size, closes, responses and event streams, one
                                 connection after the other; it ends when all were played
      -p, --port PORT            the port; as it is, 0: one that is free
      -w, --write FILE           what it did, as a trace, readable by you alone; '-' is standard output
          --scale X              multiply all times of the script or trace: 0.01 is a hundred times
                                 faster. Whole seconds on the wire, as in Retry-After, stay
          --duration TIME        end after so long: 30s, 2m
          --json                 the address as JSON

    It prints its address as soon as it listens, ends when its script does, and at an interrupt.

    example:
      goldwire serve --script events --port 8765
      curl -Ns 'http://127.0.0.1:8765/events?cut=1'
      curl -Ns -H 'Last-Event-ID: 1' 'http://127.0.0.1:8765/events'

    """

  /// The scripts that come with the server, a line each.
  private static let scripts: String = BuiltInScript.all.map { script in
    "        " + script.name + String(repeating: " ", count: max(1, 11 - script.name.count)) + script.summary
  }.joined(separator: "\n")

  /// What is served.
  enum Source: Equatable {
    case script(String)
    case trace(String)
  }

  let source: Source
  let port: Int
  let target: String?
  let scale: Int?
  let duration: TimeSpan?
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    try arguments.noOperands()
    switch (arguments.value("script"), arguments.value("play")) {
    case (let name?, nil): source = .script(name)
    case (nil, let trace?): source = .trace(trace)
    case (nil, nil): throw arguments.error("what to serve? give '--script NAME-OR-FILE' or '--play TRACE'")
    case (.some, .some): throw arguments.error("'--script' and '--play' exclude each other; keep one")
    }
    port = try arguments.number("port") ?? 0
    guard port <= 65_535 else { throw arguments.error("--port wants a number up to 65535") }
    target = arguments.value("write")
    duration = try arguments.span("duration")
    wantsJSON = arguments.wantsJSON
    guard let text = arguments.value("scale") else {
      scale = nil
      return
    }
    guard let factor = Double(text), (0.0001...1000).contains(factor) else {
      throw arguments.error("--scale wants a number from 0.0001 to 1000")
    }
    scale = Int((factor * 1_000_000).rounded())
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    StopFlag.install()
    let (script, input) = try load(console)
    var writer =
      try target.map { (path) throws(CommandError) in
        try Traces.writer(path, console, apartFrom: input)
      } ?? TraceWriter { _ in }
    let server: FaultServer
    do throws(FaultServer.Failure) { server = try FaultServer(script: script, port: port) } catch {
      throw CommandError(
        "port \(port) is taken or may not be used",
        remedy: "give another by --port, or none for one that is free")
    }
    try announce(server, console)
    do throws(FileError) { try follow(server, &writer) } catch { throw CommandError(error) }
    return .expected
  }

  /// Writes the log until the server ends, and ends it where something else is to.
  private func follow(_ server: FaultServer, _ writer: inout TraceWriter) throws(FileError) {
    try writer.write(server.header)
    let ended = DispatchSemaphore(value: 0)
    Task {
      await server.ended
      ended.signal()
    }
    let limit = duration.map { DispatchTime.now() + .microseconds($0.microseconds) }
    while ended.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      if StopFlag.isSet { server.end(.signal) }
      if let limit, limit <= .now() { server.end(.limit) }
      try drain(server, &writer)
    }
    try drain(server, &writer)
    try writer.finish()
  }

  private func drain(_ server: FaultServer, _ writer: inout TraceWriter) throws(FileError) {
    for line in server.takeLog() { try writer.write(line) }
    try writer.sync()
  }

  /// The script, and the file that it is of.
  private func load(_ console: Console) throws(CommandError) -> (FaultScript, FileIdentity?) {
    switch source {
    case .trace(let path):
      let input = FileIdentity(reading: path)
      let trace = try Traces.load(path, console)
      do throws(TraceError) { return (try TracePlay(trace, scale: scale ?? 1_000_000).script(), input) } catch
      {
        throw CommandError(error, in: path)
      }
    case .script(let name):
      if let script = FaultScript(named: name, scale: scale) { return (script, nil) }
      let bytes: [UInt8]
      do throws(FileError) { bytes = try AtomicFile.read(name, atMost: 8 << 20) } catch {
        var named = CommandError(error)
        if !name.contains("/"), !name.contains(".") {
          let names = BuiltInScript.all.map(\.name)
          named.remedy = "the scripts that need no file are " + names.joined(separator: ", ")
        }
        throw named
      }
      do throws(TraceError) {
        return (try FaultScript(json: bytes, scale: scale), FileIdentity(reading: name))
      } catch {
        var named = CommandError(error, in: name)
        named.remedy = "docs/server.md has the language, traces/schema/script.schema.json its schema"
        throw named
      }
    }
  }

  /// Says where it listens; on standard error where standard output is the trace's.
  private func announce(_ server: FaultServer, _ console: Console) throws(CommandError) {
    var lines: [String] = []
    if wantsJSON {
      let refused = server.refusedPort.map { ",\"refused\":\($0)" } ?? ""
      lines = ["{\"address\":\"127.0.0.1\",\"port\":\(server.port)\(refused)}"]
    } else {
      lines = ["listening on http://127.0.0.1:\(server.port)"]
      if let refused = server.refusedPort { lines.append("refusing on http://127.0.0.1:\(refused)") }
    }
    let output = target == "-" ? console.errors : console.output
    for line in lines { try output.line(line) }
    try output.flush()
  }
}
