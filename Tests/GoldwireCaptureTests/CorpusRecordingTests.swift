import GoldwireCapture
import GoldwireTrace
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Every capture of the corpus gives the trace that lies beside it, byte for byte, whatever the hashes' key.
@Suite struct CorpusRecordingTests {
  static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/") + "/traces"

  static let scenarios: [String] = names(in: folder).filter {
    names(in: folder + "/" + $0).contains("capture.pcap")
  }.sorted()

  static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// Records a capture as the trace's own header says.
  static func record(_ capture: [UInt8], as header: TraceHeader, seed: UInt64) throws -> Trace {
    var settings = RecordSettings(tool: header.tool, seed: seed)
    settings.inForce = header.inForce
    settings.beats = header.beats
    var recorder = CaptureRecorder(settings)
    var file = try CaptureFile(bytes: capture)
    while try file.step(into: &recorder) {}
    recorder.finish(.eof)
    var lines: [TraceLine] = []
    while let line = recorder.nextLine() { lines.append(line) }
    let made = recorder.takeHeader()
    return Trace(header: try #require(made), lines: lines)
  }

  @Test("there are captures")
  func areThere() { #expect(Self.scenarios.count >= 30) }

  @Test("a capture gives its trace", arguments: scenarios)
  func gives(scenario: String) throws {
    let place = Self.folder + "/" + scenario
    let capture = try AtomicFile.read(place + "/capture.pcap")
    let bytes = try AtomicFile.read(place + "/trace.jsonl")
    let kept = try Trace(bytes: bytes)
    for seed: UInt64 in [1, 0xFEED_FACE_CAFE_BEEF] {
      let made = try Self.record(capture, as: kept.header, seed: seed)
      #expect(made.lines == kept.lines)
      #expect(made.bytes() == bytes)
    }
  }

  @Test("nothing of a payload is in a trace: no fake secret, no host, no path", arguments: scenarios)
  func redacted(scenario: String) throws {
    let bytes = try AtomicFile.read(Self.folder + "/" + scenario + "/trace.jsonl")
    let text = String(decoding: bytes, as: UTF8.self)
    for secret in ["FAKE", "127.0.0.1", "::1", "/chat", "/events", "/v1", "queued", "Bearer"] {
      #expect(!text.contains(secret))
    }
  }
}
