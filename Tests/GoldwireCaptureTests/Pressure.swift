@testable import GoldwireCapture
import GoldwirePackets
import GoldwireTestSupport
import GoldwireTrace

/// A recording whose state is watched while packets come: the most that it ever held.
struct Pressure: ~Copyable {
  /// The most of each thing that was held at one time.
  struct Peak: Equatable {
    /// Lines that waited to go out.
    var lines = 0
    /// Bytes beyond holes.
    var heldBytes = 0
    /// Bytes of unfinished messages, and for requests that wait.
    var httpBytes = 0
    /// Places for connections.
    var connections = 0
    /// Attempts without an answer.
    var attempts = 0
    /// Channels.
    var channels = 0
    /// Datagrams that wait for fragments.
    var datagrams = 0
  }

  private(set) var peak = Peak()
  private(set) var recorder: CaptureRecorder
  /// The lines that the filter let through, as they are written.
  private(set) var kept: [String] = []
  /// The number of all lines.
  private(set) var count = 0
  private let keeps: (TraceLine) -> Bool
  private var time = CaptureBuilder.start

  /// Makes one that keeps the lines for which `keeps` is true.
  init(keeping keeps: @escaping (TraceLine) -> Bool, _ change: (inout RecordSettings) -> Void = { _ in }) {
    var settings = RecordSettings(tool: "goldwire 0.0.0", seed: 7)
    change(&settings)
    recorder = CaptureRecorder(settings)
    self.keeps = keeps
  }

  /// Takes an IP packet, so many microseconds after the one before.
  mutating func take(_ packet: [UInt8], after pause: Int = 100) {
    time += pause
    recorder.accept(packet.span, originalCount: packet.count, link: .raw, at: time)
    watch()
  }

  /// Takes the packets of a capture.
  mutating func take(_ capture: CaptureBuilder) throws {
    var file = try CaptureFile(bytes: capture.bytes)
    while try file.step(into: &recorder) { watch() }
    watch()
  }

  /// Ends the recording.
  mutating func finish() {
    recorder.finish(.eof)
    watch()
  }

  private mutating func watch() {
    note()
    while let line = recorder.nextLine() {
      count += 1
      if keeps(line) { kept.append(Recording.text(line)) }
      // Most lines tell nothing new of the state; looking at some is enough, and quick.
      if count & 1_023 == 0 { note() }
    }
  }

  private mutating func note() {
    peak.lines = max(peak.lines, recorder.lines.count)
    peak.heldBytes = max(peak.heldBytes, recorder.table.heldBytes)
    peak.httpBytes = max(peak.httpBytes, recorder.httpBytes)
    peak.connections = max(peak.connections, recorder.connections.count)
    peak.attempts = max(peak.attempts, recorder.attempts.count)
    peak.channels = max(peak.channels, recorder.book.count)
    peak.datagrams = max(peak.datagrams, recorder.decoder.waitingDatagrams)
  }
}
