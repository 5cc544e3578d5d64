import GoldwireCapture
import GoldwireTrace

/// `goldwire import`.
package struct ImportVerb: Verb {
  package static let name = "import"
  package static let summary = "make a trace of a HAR that a browser or a proxy wrote"
  package static let flags: [Flag] = [
    .write, .value("in-force", repeats: true), .value("beats"), .value("at"), .on("split"),
  ]
  package static let help = """
    usage: goldwire import har FILE [-w FILE] [FLAGS]

    Reads a HAR (HTTP Archive 1.2, as Chrome, Firefox, Charles, mitmproxy, Playwright and Proxyman
    write it) and writes what the client and its servers did as a trace: requests with their
    tries, WebSocket messages, event streams. Nothing of a payload is written: no address, header,
    cookie, body or message. What a HAR cannot show, as pings, the trace's header says.

      FILE                   the HAR, gzip or not; '-' is standard input
      -w, --write FILE       the trace, readable by you alone; compressed if it ends in .gz; '-' is
                             standard output. Without -w the time line is drawn
          --in-force TEXT    the parameters that the client ran with, which a HAR cannot show:
                             retry.base=1s,retry.count=3; may be repeated
          --beats PRESET     mark application-level heartbeats: engine.io, phoenix, graphql-ws,
                             signalr or stomp
          --at PLACE         where the HAR was made: client, server, middle or unknown; as it is, as
                             the tool that wrote it tells
          --split            make each connection a channel of its own
          --json             without -w: the trace's lines on standard output

    example:
      goldwire import har field.har -w field.jsonl --in-force retry.count=3
      goldwire show field.jsonl

    """

  let file: String
  let target: String?
  let inForce: ParameterTable?
  let beats: BeatPreset?
  let vantage: Vantage?
  let splits: Bool
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    let operands = arguments.operands
    guard let format = operands.first else { throw arguments.error("what to import? write 'har FILE'") }
    guard format == "har" else {
      throw arguments.error("'\(format)' is no format that can be imported; write 'har FILE'")
    }
    guard operands.count > 1 else { throw arguments.error("the HAR's file is missing after 'har'") }
    guard operands.count == 2 else { throw arguments.error("'\(operands[2])' is one operand too many") }
    file = operands[1]
    target = arguments.value("write")
    inForce = try arguments.inForce()
    beats = try arguments.word("beats")
    vantage = try arguments.word("at")
    splits = arguments.has("split")
    wantsJSON = arguments.wantsJSON
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    var settings = RecordSettings(
      tool: "goldwire \(GoldwireCommand.version)", seed: UInt64.random(in: .min ... .max))
    settings.inForce = inForce
    settings.beats = beats
    settings.splits = splits
    settings.vantage = vantage
    let limits = HARLimits()
    let bytes = try read(atMost: limits.fileBytes)
    var har: HARImport
    do throws(TraceError) { har = try HARImport(bytes, settings, limits: limits) } catch {
      var named = CommandError(error, in: file)
      named.remedy = "export the HAR again, whole and with content"
      throw named
    }
    var sink = RecordSink(
      target, isLive: false, wantsJSON: wantsJSON, apartFrom: FileIdentity(reading: file), RecordBounds(),
      console)
    try sink.take(&har)
    try sink.finish()
    try sink.summarise(har)
    return .expected
  }

  private func read(atMost limit: Int) throws(CommandError) -> [UInt8] {
    do throws(FileError) {
      return try AtomicFile.read(file, atMost: limit)
    } catch { throw CommandError(error) }
  }
}
