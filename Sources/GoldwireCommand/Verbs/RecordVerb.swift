import GoldwireCapture
import GoldwireTrace

/// `goldwire record`.
package struct RecordVerb: Verb {
  package static let name = "record"
  package static let summary = "make a trace of a capture file or of a live interface"
  package static let flags: [Flag] = [
    .read, .write, .value("interface", short: "i"), .value("in-force", repeats: true), .value("beats"),
    .value("at"), .on("split"), .value("count", short: "c"), .value("duration"),
    .value("snaplen", short: "s"), .value("user", short: "Z"),
  ]
  package static let help = """
    usage: goldwire record (-r FILE | -i INTERFACE) [-w FILE] [FLAGS] [FILTER]

    Reads packets from a capture file or an interface, and writes what the client and its peer did
    as a trace. Nothing of a payload is written: no name, address, header, body or message.

      -r, --read FILE        a capture, pcap or pcapng, gzip or not; '-' is standard input
      -i, --interface NAME   a live interface; an interrupt ends the recording cleanly
      -w, --write FILE       the trace, readable by you alone; compressed if it ends in .gz; '-' is
                             standard output. Without -w the time line is drawn as packets come
          --in-force TEXT    the parameters that the client ran with, which a trace cannot show:
                             heartbeat.interval=30s,heartbeat.timeout=5s; may be repeated
          --beats PRESET     mark application-level heartbeats: engine.io, phoenix, graphql-ws,
                             signalr or stomp
          --at PLACE         where the capture was made: client, server, middle or unknown
          --split            make each connection a channel of its own
      -c, --count N          stop after N packets
          --duration TIME    stop after so long: 30s, 2m; only with -i
      -s, --snaplen N        bytes of each packet to capture; only with -i
      -Z, --user USER        run as USER once the interface is open; as it is, as whoever called sudo
          --json             without -w: the trace's lines on standard output

    FILTER is an expression of libpcap, as in tcpdump; it goes last.

    example:
      sudo goldwire record -i en0 -w chat.jsonl 'tcp port 443 or tcp port 8080'
      goldwire record -r field.pcapng -w chat.jsonl --in-force heartbeat.interval=30s

    """

  /// Where packets come from.
  enum Source: Equatable {
    case file(String)
    case interface(String)
  }

  let source: Source
  let target: String?
  let filter: String?
  let inForce: ParameterTable?
  let beats: BeatPreset?
  let vantage: Vantage?
  let splits: Bool
  let count: Int?
  let duration: TimeSpan?
  let snapshot: Int?
  let user: String?
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    switch (arguments.value("read"), arguments.value("interface")) {
    case (let file?, nil): source = .file(file)
    case (nil, let interface?): source = .interface(interface)
    case (nil, nil): throw arguments.error("where from? give '-r FILE' or '-i INTERFACE'")
    case (.some, .some): throw arguments.error("'-r' and '-i' exclude each other; keep one")
    }
    target = arguments.value("write")
    filter = arguments.operands.isEmpty ? nil : arguments.operands.joined(separator: " ")
    inForce = try RecordVerb.parameters(arguments)
    beats = try arguments.word("beats")
    vantage = try arguments.word("at")
    splits = arguments.has("split")
    count = try arguments.number("count", atLeast: 1)
    duration = try arguments.span("duration")
    snapshot = try arguments.number("snaplen", atLeast: 64)
    user = arguments.value("user")
    wantsJSON = arguments.wantsJSON
    if case .file = source, let flag = ["duration", "snaplen"].first(where: arguments.has) {
      throw arguments.error("--\(flag) is for a live interface; leave it out with '-r'")
    }
  }

  private static func parameters(_ arguments: Arguments) throws(UsageError) -> ParameterTable? {
    let texts = arguments.values("in-force")
    guard !texts.isEmpty else { return nil }
    var table = ParameterTable()
    for text in texts {
      do throws(TraceError) { try table.set(option: text) } catch {
        throw arguments.error("--in-force: \(error.message)")
      }
    }
    return table
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    StopFlag.install()
    var settings = RecordSettings(
      tool: "goldwire \(GoldwireCommand.version)", seed: UInt64.random(in: .min ... .max))
    settings.inForce = inForce
    settings.beats = beats
    settings.splits = splits
    settings.vantage = vantage
    var recorder = CaptureRecorder(settings)
    switch source {
    case .file(let path): try read(path, &recorder, console)
    case .interface(let name): try listen(name, &recorder, console)
    }
    return .expected
  }

  private func dropPrivileges(_ console: Console) throws(CommandError) {
    do throws(CaptureFailure) {
      try Privileges.drop(user: user, environment: console.environment)
    } catch { throw CommandError(error) }
  }

  // MARK: Files

  private func open(_ path: String) throws(CommandError) -> CaptureFile {
    do throws(CaptureFailure) {
      return try CaptureFile(path: path, filter: filter, count: count)
    } catch { throw CommandError(error) }
  }

  private func read(
    _ path: String, _ recorder: inout CaptureRecorder, _ console: Console
  ) throws(CommandError) {
    var file = try open(path)
    try dropPrivileges(console)
    // The output is made once there is something to write, so that a mistaken name costs nothing.
    var sink = RecordSink(target, isLive: false, wantsJSON: wantsJSON, console)
    var failure: CaptureFailure?
    var why = EndReason.eof
    while true {
      do throws(CaptureFailure) {
        guard try file.step(into: &recorder) else { break }
      } catch {
        failure = error
        break
      }
      try sink.take(&recorder)
      if path == "-" { try sink.flush() }
      if StopFlag.isSet {
        why = .signal
        break
      }
    }
    if let failure, recorder.counts.packets == 0 { throw CommandError(failure) }
    if why == .eof, let count, file.packets >= count { why = .limit }
    recorder.finish(why)
    try sink.take(&recorder)
    try sink.finish()
    if let failure { throw CommandError(failure) }
    if let damage = file.damage {
      try console.say(
        "\(path == "-" ? "standard input" : path): warning: \(damage); recorded up to there")
    }
    try sink.summarise(recorder.counts)
  }

  // MARK: Interfaces

  private func openInterface(_ name: String) throws(CommandError) -> LiveCapture {
    do throws(CaptureFailure) {
      return try LiveCapture(interface: name, filter: filter, snapshot: snapshot ?? 262_144)
    } catch { throw CommandError(error) }
  }

  private func listen(
    _ name: String, _ recorder: inout CaptureRecorder, _ console: Console
  ) throws(CommandError) {
    let start = LiveCapture.clock()
    var live = try openInterface(name)
    try dropPrivileges(console)
    var sink = RecordSink(target, isLive: true, wantsJSON: wantsJSON, console)
    recorder.begin(at: start, isLoopback: name == "lo" || name == "lo0")
    try sink.take(&recorder)
    try sink.flush()
    try console.say("listening on \(name), link-type \(live.linkName)")
    let end = duration.map { start.addingReportingOverflow($0.microseconds).partialValue } ?? .max
    var why = EndReason.limit
    var stats = start
    while recorder.counts.packets < count ?? .max, LiveCapture.clock() < end {
      if StopFlag.isSet {
        why = .signal
        break
      }
      do throws(CaptureFailure) {
        let room = min(256, (count ?? .max) - recorder.counts.packets)
        if try live.step(into: &recorder, wait: 200, atMost: room) == .idle {
          recorder.idle(at: LiveCapture.clock() - 500_000)
        }
      } catch { throw CommandError(error) }
      if LiveCapture.clock() - stats > 1_000_000 {
        recorder.drop(live.takeDrops())
        stats = LiveCapture.clock()
      }
      try sink.take(&recorder)
      try sink.flush()
    }
    recorder.drop(live.takeDrops())
    recorder.finish(why, at: LiveCapture.clock())
    try sink.take(&recorder)
    try sink.finish()
    try sink.summarise(recorder.counts)
  }
}

extension CommandError {
  fileprivate init(_ failure: CaptureFailure) {
    self.init(failure.message, file: failure.place, remedy: failure.remedy)
  }
}
