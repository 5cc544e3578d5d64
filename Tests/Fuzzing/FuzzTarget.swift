/// The parsers of bytes from outside, each with the properties that must hold for any of them.
///
/// The fuzzer of `tools/fuzz` calls these entries with bytes of its own making; the tests call them with its seeds and
/// with every input that was ever a finding.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Capture files, pcap and pcapng, in pieces.
  case capture
  /// gzip, zlib and raw deflate, in pieces.
  case inflate
  /// Frames down to a TCP header: link, IP, fragments, tunnels.
  case packets
  /// TCP segments to streams.
  case streams
  /// Both directions of an HTTP/1 connection, in pieces and with holes.
  case http
  /// Content codings and event streams in HTTP bodies, through the recorder.
  case codings
  /// WebSocket frames and messages with permessage-deflate, in pieces and with holes.
  case websocket
  /// The event stream grammar, in pieces, against the standard's algorithm.
  case eventstream
  /// Values of header fields: Retry-After, dates, extensions.
  case fields
  /// Traces: read, written, read again, audited.
  case trace
  /// What is done with a trace that was read: replays, conformance, cuts, continuations, drawings.
  case replay
  /// What is predicted of a trace with other parameters.
  case causal
  /// Goldens, configurations and locks.
  case golden
  /// HAR files to traces.
  case har
  /// Capture files to traces.
  case record
  /// Conversations of both sides of connections to traces.
  case talk

  /// Parses the input and throws the first property that does not hold.
  public func check(_ input: [UInt8]) throws(FuzzFinding) {
    var input = FuzzInput(input)
    switch self {
    case .capture: try CaptureProperties.check(&input)
    case .inflate: try InflateProperties.check(&input)
    case .packets: try PacketProperties.check(&input)
    case .streams: try StreamProperties.check(&input)
    case .http: try HTTPProperties.check(&input)
    case .codings: try CodingProperties.check(&input)
    case .websocket: try WebSocketProperties.check(&input)
    case .eventstream: try EventStreamProperties.check(&input)
    case .fields: try FieldProperties.check(&input)
    case .trace: try TraceProperties.check(&input)
    case .replay: try ReplayProperties.check(&input)
    case .causal: try CausalProperties.check(&input)
    case .golden: try GoldenProperties.check(&input)
    case .har: try HARProperties.check(&input)
    case .record: try RecordProperties.check(&input)
    case .talk: try TalkProperties.check(&input)
    }
  }
}
