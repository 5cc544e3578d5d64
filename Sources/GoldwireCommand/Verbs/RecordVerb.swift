import GoldwireCapture
import GoldwireTrace

/// `goldwire record`.
package struct RecordVerb: Verb {
  package static let name = "record"
  package static let summary = "make a trace of a capture file or of a live interface"
  package static let flags: [Flag] = [
    .read, .write, .value("interface", short: "i"), .value("in-force", repeats: true), .value("beats"),
    .value("at"), .on("split"), .value("count", short: "c"), .value("duration"), .value("max-size"),
    .value("file-size", short: "C"), .value("file-time", short: "G"), .value("snaplen", short: "s"),
    .value("buffer", short: "B"), .value("user", short: "Z"),
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
          --max-size SIZE    stop once the trace has this size, all its files together
      -C, --file-size SIZE   begin another file once the current one has this size
      -G, --file-time TIME   begin another file after each such length of time: 60s, 1h
      -s, --snaplen N        bytes of each packet to capture; only with -i
      -B, --buffer N         KiB that the system may hold until they are read; only with -i
      -Z, --user USER        run as USER once the interface is open; as it is, as whoever called sudo
          --json             without -w: the trace's lines on standard output

    Further files are chat1.jsonl, chat2.jsonl and so on after chat.jsonl, and what is there under
    such a name is written over. Each is a trace of its own that replays: it begins with what
    the machines of living connections need from before, and by -C it goes on until at least
    as much is new in it. A SIZE is in millions of bytes as in tcpdump, or has a K, M or G
    behind it; it counts the trace before compression.

    What is said under TLS (https, wss) cannot be read: such a connection stands as rec.opaque with
    its begin, its end and its bytes; so does HTTP/2. docs/recording.md has what to do.

    FILTER is an expression of libpcap, as in tcpdump; it goes last.

    example:
      sudo goldwire record -i en0 -w chat.jsonl 'tcp port 8080'
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
  let bounds: RecordBounds
  let snapshot: Int?
  let buffer: Int?
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
    inForce = try arguments.inForce()
    beats = try arguments.word("beats")
    vantage = try arguments.word("at")
    splits = arguments.has("split")
    count = try arguments.number("count", atLeast: 1)
    duration = try arguments.span("duration")
    bounds = RecordBounds(
      most: try arguments.size("max-size"), fileBytes: try arguments.size("file-size"),
      fileTime: try arguments.span("file-time"))
    snapshot = try arguments.number("snaplen", atLeast: 64)
    buffer = try arguments.number("buffer", atLeast: 1)
    user = arguments.value("user")
    wantsJSON = arguments.wantsJSON
    if case .file = source, let flag = ["duration", "snaplen", "buffer"].first(where: arguments.has) {
      throw arguments.error("--\(flag) is for a live interface; leave it out with '-r'")
    }
    if bounds.fileTime?.microseconds ?? .max < 1_000_000 {
      throw arguments.error("--file-time wants a second or more")
    }
    if bounds.rotates, target == nil || target == "-" {
      throw arguments.error("-C and -G begin further files; name the first by '-w FILE'")
    }
    if bounds.most != nil, target == nil, !wantsJSON {
      throw arguments.error("--max-size is of a trace; write one by '-w FILE'")
    }
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
  /// Gives up root's rights, once packets can be had and before anything is written.
  func dropPrivileges(_ console: Console) throws(CommandError) {
    do throws(CaptureFailure) {
      try Privileges.drop(user: user, environment: console.environment)
    } catch { throw CommandError(error) }
  }
}

extension CommandError {
  /// The error of a capture, as one of the command's.
  init(_ failure: CaptureFailure) {
    self.init(failure.message, file: failure.place, remedy: failure.remedy)
  }
}
