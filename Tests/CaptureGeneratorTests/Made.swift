import CaptureGenerator
import GoldwireCapture
import GoldwireTrace

/// A generated capture, and what the recorder made of it.
struct Made {
  let options: GeneratorOptions
  let bytes: [UInt8]
  let truth: CaptureTruth

  /// Makes a small capture.
  init(seed: UInt64, _ change: (inout GeneratorOptions) -> Void = { _ in }) {
    var options = GeneratorOptions()
    options.connections = 40
    options.targetBytes = 300_000
    options.seed = seed
    change(&options)
    var bytes: [UInt8] = []
    truth = CaptureGenerator.generate(options) { bytes += $0 }
    self.options = options
    self.bytes = bytes
  }

  /// Records the capture.
  func lines() throws -> [TraceLine] {
    var recorder = CaptureRecorder(RecordSettings(tool: "goldwire 0.0.0", seed: options.seed &+ 1))
    var file = try CaptureFile(bytes: bytes)
    var lines: [TraceLine] = []
    while try file.step(into: &recorder) {
      while let line = recorder.nextLine() { lines.append(line) }
    }
    recorder.finish(.eof)
    while let line = recorder.nextLine() { lines.append(line) }
    return lines
  }
}
