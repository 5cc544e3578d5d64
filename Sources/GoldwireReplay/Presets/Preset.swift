public import GoldwireTrace

/// What a well-known client is set to where nobody sets it, with where the numbers stand.
///
/// A preset names what a client is meant to do; only a recording tells what one does.
public struct Preset: Equatable, Sendable {
  /// Its name, as options and `goldwire.json` spell it.
  public let name: String
  /// The library or specification, with the version that was read.
  public let of: String
  /// The document or file of it in which the numbers stand.
  public let source: String
  /// The parameters of the machines that the client can be held to.
  public let parameters: ParameterTable
  /// The recorder's `--beats` that marks its heartbeats, where they are messages.
  public let beats: BeatPreset?
  /// What the client does that no parameter says; nil for nothing that is known.
  public let otherwise: String?

  private init(
    _ name: String, of: String, source: String, beats: BeatPreset? = nil, otherwise: String? = nil,
    _ parameters: [MachineName: [ParameterName: ParameterValue]]
  ) {
    self.name = name
    self.of = of
    self.source = source
    self.beats = beats
    self.otherwise = otherwise
    self.parameters = ParameterTable(parameters)
  }

  /// The preset of that name; nil for none.
  public static func named(_ name: String) -> Preset? { all.first { $0.name == name } }
}

// MARK: - The presets

extension Preset {
  /// All presets, in the order of their names.
  public static let all: [Preset] = (heartbeats + others).sorted {
    $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
  }

  private static func seconds(_ count: Int) -> ParameterValue {
    .span(TimeSpan(microseconds: count * 1_000_000))
  }

  private static func beat(
    _ interval: Int, _ timeout: Int, _ cadence: ParameterWord = .afterPong
  ) -> [MachineName: [ParameterName: ParameterValue]] {
    [.heartbeat: [.interval: seconds(interval), .timeout: seconds(timeout), .cadence: .word(cadence)]]
  }

  private static let heartbeats: [Preset] = [
    Preset(
      "engine.io", of: "Engine.IO protocol 4, a server with its defaults",
      source: "Engine.IO protocol, revision 4, sections Handshake and Heartbeat", beats: .engineIO,
      otherwise: "in protocol 4 the server pings; these are the values that it tells a client of protocol 3",
      beat(25, 20)),
    Preset(
      "engine.io-3", of: "Engine.IO protocol 3",
      source: "Engine.IO protocol, revision 3, sections Packet and Timeouts", beats: .engineIO, beat(25, 5)),
    Preset(
      "graphql-ws", of: "graphql-ws 6.2.0, the client of graphql-transport-ws",
      source: "graphql-ws, src/client.ts, ClientOptions.keepAlive", beats: .graphqlWS,
      otherwise: "off as it is, and without a timeout of its own; these are the values of the example there",
      beat(10, 5)),
    Preset(
      "phoenix", of: "phoenix.js, Phoenix 1.8",
      source: "phoenix, assets/js/phoenix/socket.js, heartbeatIntervalMs and heartbeatTimeoutMs",
      beats: .phoenix, beat(30, 30)),
    Preset(
      "websockets", of: "websockets 17.1 for Python",
      source: "websockets, src/websockets/asyncio/client.py, ping_interval and ping_timeout",
      beat(20, 20, .fixed)),
  ]

  private static let others: [Preset] = [
    Preset(
      "aws-standard", of: "AWS SDKs, retry mode standard, as botocore has it",
      source:
        "botocore, botocore/retries/standard.py, and AWS SDKs and Tools Reference Guide, Retry behavior",
      otherwise: "its jitter is full: it may wait less than half of what the machine waits",
      [
        .retry: [
          .base: seconds(1), .factor: .number(2), .cap: seconds(20), .jitter: .word(.afterCap),
          .count: .number(2),
          .statuses: .numbers([500, 502, 503, 504]), .transport: .flag(true),
        ]
      ]),
    Preset(
      "chromium-eventsource", of: "Chromium's EventSource",
      source: "Chromium, blink/renderer/modules/eventsource/event_source.cc, and HTML, section 9.2.2",
      [.stream: [.delay: seconds(3)]]),
    Preset(
      "grpc", of: "gRPC, connection backoff",
      source: "grpc, doc/connection-backoff.md",
      otherwise:
        "its factor is 1.6 and its jitter a fifth either side: the machine has whole factors, and waits half of "
        + "the delay or more",
      [
        .retry: [
          .base: seconds(1), .factor: .number(2), .cap: seconds(120), .jitter: .word(.afterCap),
          .transport: .flag(true),
        ]
      ]),
    Preset(
      "swift-eventsource", of: "LaunchDarkly swift-eventsource 3.3.0",
      source: "swift-eventsource, Source/LDSwiftEventSource.swift, EventSource.Config",
      otherwise:
        "its delay doubles up to 30s while connections fail within a minute, and is half of that or more",
      [.stream: [.delay: seconds(1), .most: seconds(60), .idle: seconds(300)]]),
    Preset(
      "urllib3", of: "urllib3 2.x, Retry as it is",
      source: "urllib3, src/urllib3/util/retry.py, Retry",
      otherwise: "it waits for nothing but a Retry-After: 1us stands for no wait at all",
      [
        .retry: [
          .base: .span(TimeSpan(microseconds: 1)), .factor: .number(1), .cap: seconds(21_600),
          .count: .number(10), .statuses: .numbers([413, 429, 503]), .transport: .flag(true),
        ]
      ]),
  ]
}
